// The table: shows what happens as it happens, and sends what the player does.

import { Board, tilePicture } from "./board.js";
import { Choosing } from "./choosing.js";
import { Clocks } from "./clocks.js";
import { keepPromise, showChecks } from "./fair.js";
import { Leaving, showWatchers } from "./leaving.js";
import { drop, flipUp, goAlong, pause, slideDown, thrown } from "./motion.js";
import { byId, drawing, fill, make, pageData, piece, post, renew, shown } from "./page.js";
import { drawTracks, placeMarkers, Scoring } from "./scoring.js";
import { drawSeats, score } from "./seats.js";
import { bell, setSound, soundIsOn, tap, turned } from "./sound.js";
import { Stream } from "./stream.js";
import { Talk } from "./talk.js";
import { tellTab } from "./waiting.js";
import { Watching } from "./watching.js";

const MOST_SAID = 12; // sentences that are kept for those who listen
const SEEN = { tiles: 1500, dice: 700, sticks: 700 }; // milliseconds that what came to somebody else stays to be seen
const words = pageData("words");
let view = pageData("view"); // what is shown
byId("view").remove(); // it may hold the value of a tile that will soon lie face down
let known = view; // what is known; ahead of the view while something moves
const path = `/api/tables/${view.table}`;
const board = new Board(byId("board"), choose);
const hand = byId("hand");
const choosing = new Choosing();
const clocks = new Clocks(byId("seats"), words, say);
const leaving = new Leaving(path, words, toast);
const talk = new Talk(path, view.table, words, toast);
const tiles = view.board.thrown === "tiles"; // placed one by one, and counted at the end
const queue = [];
let showing = false;
let answered = -1; // the last event that a turn was sent in answer to
let hurried = false;
let seenUntil = 0;
let scoring = /** @type {Scoring|null} */ (null);
let counting = false; // the game is over, its result not shown yet
let watching = /** @type {Watching|null} */ (null);
let connected = true;

// --- painting -------------------------------------------------------------------------------------------

function paint(next) {
  const wasMine = view.mine;
  const begins = view.status === "waiting" && next.status === "running" && next.you.length > 0;
  // what was chosen of a turn stays while somebody says something, or takes another name
  const goesOn = choosing.made.length && wasMine && next.mine && JSON.stringify(next.board) === JSON.stringify(view.board);
  view = next;
  if (!goesOn) choosing.begin(view.board);
  board.paint(view.board, view.labels);
  if (watching) watching.show(watching.at, { quietly: true });
  paintSeats();
  paintBar();
  paintLog();
  leaving.show(view);
  talk.show(view);
  byId("table").classList.toggle("placing", view.mine && view.board.asks === "placing");
  byId("table").classList.toggle("waiting", view.status === "waiting");
  if (begins && !view.mine && document.hidden) tellTab(true, words.begun_title);
  else tellTab(view.mine, words.your_turn_title);
  if ((view.mine && !wasMine) || begins) bell();
  const invite = byId("invite");
  if (invite) {
    const open = new Set(view.invitations.map((invitation) => String(invitation.seat)));
    invite.querySelectorAll(".link").forEach((link) => (link.hidden = !open.has(link.dataset.seat)));
    invite.hidden = open.size === 0;
  }
  if (view.again) {
    byId("again").dataset.table = view.again;
    byId("again").textContent = words.to_the_new_game;
  }
  byId("pace").value = view.pace;
  keepPromise(view);
  byId("promise").textContent = view.promise ?? "";
  byId("opening").hidden = !view.luck;
  if (byId("check")) byId("check").hidden = !view.luck; // what never began was not shuffled
  if (view.luck) byId("opening").textContent = `SHA-256("${view.salt}:${view.luck.join(" ")}")`;
}

function paintSeats() {
  drawSeats(view, words, { counting });
  clocks.show(view);
}

function paintBar() {
  const running = view.status !== "over";
  byId("bar").hidden = !running && !counting;
  byId("bar").classList.toggle("mine", view.mine);
  byId("draw").hidden = !view.board.actions.includes("draw");
  byId("pass").hidden = !view.board.actions.includes("--");
  byId("skip").hidden = !counting;
  byId("over").hidden = running || counting || Boolean(watching);
  paintHand();
  paintChoices();
  if (!running && !counting) paintResult();
}

/** What can be chosen now: spaces light up, and what is no space gets a button. */
function paintChoices() {
  const { made } = choosing;
  const { cells, actions } = view.board;
  const spaces = new Set(cells.map((cell) => cell.name));
  const offered = choosing.offered();
  for (const cell of cells) if (!made.length && cell.offers.length) offered.add(cell.name);
  const others = [...offered].filter((choice) => !spaces.has(choice));
  if (!made.length) others.push(...actions.filter((action) => action !== "draw" && action !== "--"));
  if (!tiles && !watching) {
    for (const cell of cells) board.lay(cell.name, cell.lies, cell.pile);
    for (const [from, to] of choosing.moved()) {
      const left = cells.find((cell) => cell.name === from);
      board.lay(from, null, left.pile.slice(1));
      board.lay(to, left.lies ?? left.pile[0]);
    }
  }
  board.open(offered, made, choosing.barred());
  const asked = view.further[Math.min(made.length, view.further.length) - 1] ?? view.prompt;
  byId("prompt").textContent = counting ? words.counting : asked;
  byId("back").hidden = !made.length;
  const buttons = others.map((choice) => {
    const button = make("button", { type: "button", class: "primary", "data-choice": choice }, view.actions[choice]);
    button.onclick = () => {
      if (!upToDate()) return;
      if (view.board.actions.includes(choice) && !choosing.made.length) submit(choice);
      else choose(choice);
      toBoard();
    };
    return button;
  });
  renew(byId("choices"), ...buttons);
}

function paintHand() {
  if (!tiles) {
    const { drawn, thrown: kind } = view.board;
    hand.classList.toggle("gone", !kind);
    const now = hand.querySelector(":scope > .thrown");
    if (!drawn) now?.classList.add("used");
    else if (hand.dataset.shown !== `${view.seq}`) thrown(hand, kind, drawn, words);
    if (drawn) hand.dataset.shown = `${view.seq}`;
    return;
  }
  const due = view.board.seats[(view.board.to_move ?? 1) - 1];
  const left = view.status === "over" ? 0 : (due?.reserve?.tiles ?? 0);
  hand.classList.toggle("none", left === 0);
  if (!hand.querySelector(".pile")) hand.prepend(make("span", { class: "pile" }, make("i"), make("i"), tilePicture(null)));
  const face = view.board.drawn;
  const tile = hand.querySelector(":scope > .tile");
  if (face && !tile) flipUp(hand, face);
  if (!face) tile?.remove();
}

function paintLog() {
  const log = byId("log");
  log.replaceChildren(...view.log.map((sentence) => make("li", {}, sentence)).reverse());
}

function paintResult() {
  byId("result").textContent = view.result;
  const order = [...view.board.seats].sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  byId("scores").replaceChildren(
    ...order.map((seat) =>
      make("tr", {}, make("td", {}, piece(seat, view.board.seats, "small"), view.seats[seat.number - 1].name),
        make("td", {}, shown(seat.score ?? "")))),
  );
  byId("again").hidden = view.you.length === 0 && !view.again;
  byId("watch").hidden = byId("analyse").hidden = view.board.turns === 0;
  if (view.ended && byId("count")) {
    byId("count").hidden = true;
    byId("scores").closest("table").hidden = true;
  }
  if (tiles && !view.ended) placeMarkers(finalMarks());
}

function finalMarks() {
  const last = new Map(view.scoring.map((step) => [step.seat, step.mark]));
  return view.board.seats.map((seat) => ({ shape: seat.shape, colour: seat.colour, mark: last.get(seat.number) ?? 0 }));
}

/** Say something to those who listen, after what was said before. What tells the value of a tile in the hand is
 *  taken away when the tile is placed. */
function say(sentence, secret = false) {
  if (!sentence) return;
  const ears = byId("ears");
  ears.append(make("p", secret ? { "data-secret": "" } : {}, sentence));
  while (ears.children.length > MOST_SAID) ears.firstChild.remove();
}

function hush() {
  byId("ears").querySelectorAll("[data-secret]").forEach((said) => said.remove());
}

let toastGone = 0;
/** Show a sentence for a while, and say it; what others say does not lie over what the player may do. */
function toast(sentence, { heard = false } = {}) {
  byId("toast").classList.toggle("heard", heard);
  byId("toast").textContent = sentence;
  say(sentence);
  clearTimeout(toastGone);
  if (sentence) toastGone = window.setTimeout(() => toast(""), 6000);
}

// --- what happens ---------------------------------------------------------------------------------------

function hear(told) {
  const behind = told.view && told.view.seq < known.seq; // the house has lost what we saw
  if (told.seq <= known.seq && !behind) return;
  if (told.view) known = told.view;
  queue.push(told);
  if (!showing) showAll();
}

async function showAll() {
  showing = true;
  while (queue.length) {
    const told = queue.shift();
    await show(told, hurried || queue.length > 3 || document.hidden);
  }
  hurried = false;
  showing = false;
}

async function show(told, quickly) {
  const walks = told.walks;
  const placed = tiles && told.kind === "turn" && told.turn !== "--" ? told.turn.slice(-2) : null;
  const isTile = placed !== null && !told.turn.startsWith("P");
  if ((isTile || walks.length) && !quickly) await seen();
  // the player may have gone ahead meanwhile; then there is only something to say
  const next = told.view && told.view.seq > view.seq ? told.view : null;
  const ends = next?.status === "over" && view.status !== "over";
  const counted = ends && tiles && !next.ended;
  if (counted) beginCounting();
  if (told.kind === "drew") {
    turned();
    if (told.drawn) {
      seenUntil = view.you.includes(told.seat) ? 0 : performance.now() + SEEN[view.board.thrown];
      if (!next && tiles) flipUp(hand, told.drawn);
    }
  }
  const held = isTile ? hand.querySelector(":scope > .tile")?.cloneNode(true) : null;
  if (next) paint(next);
  if (isTile) hush();
  tell(told, next);
  if (ends && !counted) {
    if (view.result !== told.said) say(view.result);
    byId("result").focus({ preventScroll: true }); // at once, as it is shown; what the last turn moves is still to be seen
  }
  if (placed && next) {
    board.markLast([placed]);
    tap();
    if (isTile && !quickly) {
      if (held) hand.append(held); // it slides from there, while everything else is up to date
      await slideDown(hand, board.space(placed));
    } else if (!isTile) drop(board.space(placed));
  }
  if (walks.length && next) {
    board.markLast(walks.at(-1));
    for (const walk of quickly ? [] : walks) {
      board.markLast(walk);
      tap();
      await goAlong(board, walk);
    }
  }
  if (told.kind === "again" && !view.you.includes(told.seat)) toast(told.said);
  if (told.kind === "said") talk.hear(told, view);
  if (counted) await count();
  else if (ends) byId("result").scrollIntoView({ block: "nearest" });
}

/** Say what happened, and to the player what is asked of him. */
function tell(told, next) {
  if (told.kind === "again" || told.kind === "said") return; // it is shown too, and said with that
  say([told.said, next?.mine ? next.prompt : ""].filter(Boolean).join(" "), told.kind === "drew");
}

/** Wait until a tile that somebody else turned over has been seen, or the player goes on. */
async function seen() {
  while (performance.now() < seenUntil && !hurried && !document.hidden) await pause(30);
  seenUntil = 0;
}

/** From now on the scoring can be hurried and skipped, also before its first piece. */
function beginCounting() {
  counting = true;
  scoring = new Scoring(board, (seat, step) => {
    const has = byId("seats").querySelector(`[data-seat="${seat}"] .has`);
    has.replaceChildren(...score(step.total, step.markers, words));
  }, say);
}

async function count() {
  if (!scoring) beginCounting();
  board.markLast([]);
  paintSeats();
  paintBar();
  await scoring.run(view);
  scoring = null;
  counting = false;
  paint(view);
  say(view.result);
  byId("result").focus();
}

// --- what the player does -------------------------------------------------------------------------------

/** Show at once what is still waiting to be shown, but for the end: that has its ceremony. */
function catchUp() {
  hurried = true;
  seenUntil = 0;
  while (queue.length && queue[0].view?.status !== "over") {
    const told = queue.shift();
    if (told.view && told.view.seq > view.seq) paint(told.view);
    if (told.kind === "turn") hush();
    tell(told, told.view);
  }
  if (known.seq > view.seq && known.status !== "over") paint(known); // what is being shown is said when it is done
}

/** Whether what is shown is how the table stands. If not it is shown now, and what was clicked on is no more. */
function upToDate() {
  if (view.seq === known.seq && !queue.length) return true;
  catchUp();
  return false;
}

function choose(name) {
  if (scoring) return scoring.hurry();
  if (watching || view.status !== "running") return undefined;
  if (tiles && (queue.length || performance.now() < seenUntil)) catchUp();
  else if (!tiles && !upToDate()) return undefined;
  const cell = view.board.cells.find((found) => found.name === name);
  if (cell?.offers.length && !choosing.made.length) return submit(cell.offers[0]);
  if (!view.mine) return toast(view.status === "running" ? words.not_you : view.prompt);
  if (Object.keys(view.board.ways).length) {
    const turn = choosing.choose(name);
    if (turn) return submit(turn);
    paintChoices();
    if (turn === null) return say(byId("prompt").textContent);
    return toast(fill(choosing.made.length ? words.not_there : words.not_this, { space: cell.name }));
  }
  if (!tiles) return toast(view.prompt);
  return toast(cell.lies ? fill(words.not_free, { space: name }) : words.turn_first);
}

/** Take back what was chosen of a turn. */
function chooseAgain() {
  choosing.begin(view.board);
  paintChoices();
  say(byId("prompt").textContent);
}

async function submit(turn) {
  if (answered === known.seq) return; // once is enough
  answered = known.seq;
  toast("");
  const { ok, status, answer } = await post(`${path}/turns`, { turn, after: answered });
  if (!ok && answered === known.seq) answered = -1;
  if (ok && !connected && answer.state.seq > known.seq) {
    known = answer.state;
    paint(known);
  }
  if (ok) return;
  choosing.begin(view.board);
  paintChoices();
  toast(status ? answer.error.message : words.not_sent);
  if (answer?.state && answer.state.seq >= known.seq && !showing) {
    known = answer.state;
    paint(known);
  }
}

async function playAgain() {
  const there = byId("again").dataset.table;
  if (there) return location.assign(`/t/${there}`);
  const { ok, status, answer } = await post(`${path}/again`);
  if (ok) return location.assign(answer.path);
  return toast(status ? answer.error.message : words.not_sent);
}

async function watch() {
  const response = await fetch(`${path}/turns`).catch(() => null);
  if (!response?.ok) return toast(words.not_sent);
  const { turns, beginning } = await response.json();
  watching = new Watching(board, beginning, turns, words, say);
  byId("watch-end").onclick = endWatching;
  byId("watching").hidden = false;
  paintBar();
  byId("watch-on").focus();
}

function endWatching() {
  watching = null;
  byId("watching").hidden = true;
  board.markLast([]);
  paint(view);
  byId("watch").focus();
}

/** Put the focus on the board, where a button that has gone had it. */
function toBoard() {
  board.grid.flat().find((space) => space.tabIndex === 0)?.focus({ preventScroll: true });
}

/** T and ? act while the board or the bar has the focus; Escape leaves what runs. */
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "Escape" && scoring) scoring.skip();
  else if (event.key === "Escape" && watching) endWatching();
  else if (event.key === "Escape" && choosing.made.length) chooseAgain();
  else if (typing || !event.target.closest("#board, #bar")) return;
  else if (event.key.toLowerCase() === "t" && !byId("draw").hidden) byId("draw").click();
  else if (event.key === "?") {
    const settings = document.querySelector("details.settings");
    settings.open = true;
    settings.querySelector("summary").focus();
  } else return;
  event.preventDefault();
}

byId("draw").onclick = () => {
  if (tiles && queue.length) catchUp();
  if (tiles || upToDate()) submit("draw");
  toBoard();
};
byId("pass").onclick = () => {
  if (tiles || upToDate()) submit("--");
  toBoard();
};
byId("back").onclick = () => {
  chooseAgain();
  toBoard();
};
byId("skip").onclick = () => scoring?.skip();
byId("again").onclick = playAgain;
byId("watch").onclick = watch;
if (byId("count")) byId("count").onclick = () => {
  if (counting) return;
  count();
  byId("skip").focus();
};
if (byId("check")) byId("check").onclick = () => showChecks(view, path, words, say);
byId("pace").onchange = () => post(`${path}/pace`, { pace: byId("pace").value });
byId("pace-form").onsubmit = (event) => event.preventDefault();
byId("name-form").onsubmit = async (event) => {
  event.preventDefault();
  const { ok, answer } = await post(`${path}/seats/${view.you[0]}/name`, { name: byId("my-name").value });
  toast(ok ? words.saved : (answer?.error.message ?? words.not_sent));
};
byId("sound").checked = soundIsOn();
byId("sound").onchange = () => setSound(byId("sound").checked);
for (const copy of document.querySelectorAll(".copy")) {
  copy.onclick = async () => {
    const link = byId(copy.dataset.copies);
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy");
    }
    copy.textContent = words.copied;
    setTimeout(() => (copy.textContent = words.copy), 2000);
  };
}
document.addEventListener("keydown", keys);
document.addEventListener("click", (event) => {
  if (scoring && !event.target.closest("button, a, summary, select, input")) scoring.hurry();
});
addEventListener("pageshow", (event) => event.persisted && location.reload());
if (matchMedia("(max-width: 47.99em)").matches) byId("log-fold").open = false;

function lost() {
  byId("connection").textContent = words.reconnecting;
  say(words.reconnecting);
}

drawTracks();
clocks.hear(pageData("now"));
paint(view);
if (view.you.length) byId("my-name").value = view.seats[view.you[0] - 1].name;
new Stream(`${path}/events`, () => known.seq, hear, (now) => {
  if (now && byId("connection").textContent) toast(words.connected);
  if (now) byId("connection").textContent = "";
  else if (connected) setTimeout(() => !connected && lost(), 1500);
  connected = now;
}, {
  time: ({ now }) => clocks.hear(now, { anew: true }),
  watching: ({ count }) => showWatchers(count, words),
});
