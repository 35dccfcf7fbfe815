// The lobby on the front page: one's own tables, open tables and tables to watch, as they come and go. Asked for again
// every few seconds while somebody looks; what has not changed is not sent again.

import { byId, fill, make, pageData, rating, renew } from "./page.js";

const BETWEEN = 4_000;
const words = pageData("lobby-words");
const tags = { "/my-tables": "", "/api/tables": "" };
let lobby = { open: [], running: [] };

async function look() {
  if (document.hidden) return;
  try {
    const [mine, tables] = await Promise.all(Object.keys(tags).map(news));
    if (mine) showMine(document.createRange().createContextualFragment(mine.text));
    if (tables) lobby = JSON.parse(tables.text);
    if (!mine && !tables) return;
    show("lobby-open", lobby.open, true);
    show("lobby-running", lobby.running, false);
    for (const one of [mine, tables]) if (one) tags[one.path] = one.tag; // it is shown: else it is sent again
  } catch {
    // the house is away for a moment; the next look finds it
  }
}

/** What the house has at a path; undefined when it is as before. @param {string} path */
async function news(path) {
  const answer = await fetch(path, { headers: tags[path] ? { "if-none-match": tags[path] } : {}, cache: "no-store" });
  if (!answer.ok) return undefined;
  return { path, tag: answer.headers.get("etag") ?? "", text: await answer.text() };
}

/** @param {string} list @param {any[]} tables @param {boolean} free whether one can sit down there */
function show(list, tables, free) {
  renewTables(byId(list), ...tables.map((table) => entry(table, free)));
  byId(`${list}-none`).hidden = tables.length > 0;
}

/** One's own tables, as the house draws them. @param {DocumentFragment} drawn */
function showMine(drawn) {
  const place = byId("my-tables");
  const [now, then] = [place.querySelector("ul"), drawn.querySelector("ul")];
  if (now && then) renewTables(now, ...then.children);
  else place.replaceChildren(drawn);
}

/** Who has the focus on a table keeps it, also where something of that table has changed.
 *  @param {Element} place @param {...Node} tables */
function renewTables(place, ...tables) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.table : null;
  renew(place, ...tables);
  if (focused && !place.contains(document.activeElement)) place.querySelector(`[data-table="${focused}"]`)?.focus();
}

function entry(table, free) {
  const names = table.seats.map((seat) => {
    if (seat.kind === "free") return make("span", { class: "name free" }, words.free);
    const strength = seat.rating_said ? [" ", rating(seat.rating_said, seat.rating_told)] : [];
    const bot = seat.kind === "bot" ? [" ", make("small", {}, words.bot)] : [];
    return make("span", { class: "name" }, seat.name, ...strength, ...bot);
  });
  const about = [table.game_name, table.clock_said || words.no_clock, table.rated ? words.rated : ""].filter(Boolean);
  return make("li", {}, make("div", {}, make("span", { class: "who" }, ...names), make("span", { class: "how" }, about.join(" · "))), door(table, free));
}

/** What leads to a table. */
function door(table, free) {
  const players = table.seats.filter((seat) => seat.kind !== "free").map((seat) => seat.name).join(", ");
  const mine = byId("my-tables").querySelector(`[data-table="${table.table}"]`);
  const sentence = mine ? words.to_yours : free ? words.sit_with : words.watch_these;
  const named = { "aria-label": fill(sentence, { players, game: table.game_name }), "data-table": table.table };
  if (mine || !free) {
    return make("a", { class: "button", href: table.path, ...named }, mine ? words.your_table : words.watch);
  }
  return make("form", { method: "post", action: `${table.path}/sit` },
    make("button", { type: "submit", ...named }, words.sit_down));
}

look();
setInterval(look, BETWEEN);
document.addEventListener("visibilitychange", look);
