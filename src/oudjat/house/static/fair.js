// The fair shuffle: keeps the promise that this browser saw, and checks at the end that it was kept.

import { byId, fill, make, shown } from "./page.js";
import { sha256 } from "./sha256.js";

const MOST_KEPT = 200; // tables whose promise is kept, the latest ones
let looked = ""; // the table whose promise is kept already

/** @returns {Record<string, {promise: string, turns: number}>} what this browser saw, by table, and after how many turns */
function kept() {
  try {
    return JSON.parse(localStorage.getItem("promises") ?? "{}");
  } catch {
    return {};
  }
}

/** Keep the promise of a table that is being played, as it is first seen here. @param {any} view */
export function keepPromise(view) {
  if (!view.promise || !view.board.thrown || view.status !== "running" || looked === view.table) return;
  looked = view.table;
  const seen = kept();
  if (seen[view.table]) return;
  const turns = view.board.turns + (view.board.drawn ? 1 : 0);
  const latest = Object.entries(seen).slice(1 - MOST_KEPT);
  try {
    localStorage.setItem("promises", JSON.stringify(Object.fromEntries([...latest, [view.table, { promise: view.promise, turns }]])));
  } catch {
    // this browser keeps nothing: the check will say that it was not there
  }
}

/** What came in each turn in which luck had a part, and what the luck gives there. Tiles are dealt seat by seat from the
 *  front, or taken from the front when all share a stock; of throws there is one for each turn.
 *  @param {any} view @param {{seat: number, turn: string}[]} turns */
export function brought(view, turns) {
  const { luck, seats, board } = view;
  const stocks = board.variant === "shared" ? 1 : seats.length;
  const each = Math.floor(luck.length / stocks);
  const taken = Array(stocks).fill(0);
  return turns.flatMap(({ seat, turn }, index) => {
    if (board.thrown !== "tiles") return [{ turn: index + 1, came: turn.split(":")[0], due: luck[index % luck.length] }];
    const came = /^[+-]?\d+/.exec(turn)?.[0];
    if (came === undefined) return [];
    const stock = (seat - 1) % stocks;
    return [{ turn: index + 1, came, due: luck[stock * each + taken[stock]++] }];
  });
}

/** Every thing that was checked, in a sentence; `good` is null for what this browser cannot tell.
 *  @param {any} view a finished table @param {{seat: number, turn: string}[]} turns @param {Record<string, string>} words
 *  @returns {Promise<{good: boolean|null, said: string}[]>} */
export async function checks(view, turns, words) {
  const hash = await sha256(`${view.salt}:${view.luck.join(" ")}`);
  const seen = kept()[view.table];
  const list = brought(view, turns);
  const other = list.find(({ came, due }) => came !== due);
  const kind = view.board.thrown === "tiles" ? words.fair_tiles : words.fair_throws;
  const same = seen?.promise === view.promise;
  const told = same ? (seen.turns ? words.fair_seen_late : words.fair_seen) : words.fair_seen_other;
  return [
    { good: hash === view.promise, said: hash === view.promise ? words.fair_hash : fill(words.fair_other_hash, { hash }) },
    seen
      ? { good: same ? (seen.turns ? null : true) : false, said: fill(told, { turn: seen.turns, promise: seen.promise }) }
      : { good: null, said: words.fair_unseen },
    other
      ? { good: false, said: fill(words.fair_other, { turn: other.turn, came: shown(other.came), due: shown(other.due ?? "") }) }
      : { good: true, said: fill(kind, { number: list.length }) },
  ];
}

/** Check a finished table and show what was found. @param {any} view @param {string} path of the table in the API
 *  @param {Record<string, string>} words @param {(sentence: string) => void} say */
export async function showChecks(view, path, words, say) {
  const response = await fetch(`${path}/turns`).catch(() => null);
  if (!response?.ok) return say(words.not_sent);
  const found = await checks(view, (await response.json()).turns, words);
  const verdict = found.some(({ good }) => good === false) ? words.fair_not : words.fair_yes;
  const list = byId("checked");
  list.replaceChildren(
    make("li", { class: "verdict" }, verdict),
    ...found.map(({ good, said }) => make("li", { class: good === null ? "unknown" : good ? "good" : "bad" }, said)),
  );
  list.hidden = false;
  return say([verdict, ...found.map(({ said }) => said)].join(" "));
}
