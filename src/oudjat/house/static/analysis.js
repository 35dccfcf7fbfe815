// A finished game turn by turn, with what each turn was worth, as the engine finds it: from the last turn to the first.

import { Board } from "./board.js";
import { byId, fill, make, pageData, piece, shown } from "./page.js";
import { Watching } from "./watching.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const MOST_TOLD = 36; // of the graph's points, in words
const WIDTH = 600;
const HEIGHT = 150;
const words = pageData("words");
const view = pageData("view");
const path = `/api/tables/${view.table}`;
const board = new Board(byId("board"), () => {});
const judged = new Map(); // what was found, by the number of the turn
const rows = []; // of the table, in the order of the turns
let watching = /** @type {Watching|null} */ (null);

function say(sentence) {
  byId("ears").replaceChildren(make("p", {}, sentence));
}

/** The spaces that a turn names, as far as they are on this board. @param {string} turn */
function spacesIn(turn) {
  return (turn.split(":").at(-1)?.match(/[a-z]?\d+/g) ?? []).filter((name) => board.spaces.has(name));
}

// --- a turn ---------------------------------------------------------------------------------------------

/** Show what is known of the turn that led to what the board shows; gives what is to be said of it. */
function showTurn(turns) {
  const found = judged.get(turns);
  const spaces = found?.better.length ? spacesIn(found.better[0]) : [];
  for (const [name, space] of board.spaces) space.classList.toggle("better", spaces.includes(name));
  byId("verdict").textContent = found?.said.verdict ?? "";
  rows.forEach((row, at) => {
    const here = at + 1 === turns;
    if (here) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    row.querySelector("button").tabIndex = at === Math.max(turns, 1) - 1 ? 0 : -1; // one of them in the tab order
  });
  const fold = byId("turns-fold");
  fold.scrollTop = turns ? rows[turns - 1].offsetTop - fold.clientHeight / 2 : 0;
  drawCursor(turns);
  return found?.said.verdict ?? "";
}

/** Show a turn that was chosen, and the board, where it is out of sight. */
function choose(number) {
  watching?.show(number);
  const { top, bottom } = board.root.getBoundingClientRect();
  if (bottom < 80 || top > innerHeight - 80) board.root.scrollIntoView({ block: "start" });
}

function rowOf(frame, number) {
  const seat = view.board.seats[frame.seat - 1];
  const name = make("span", { class: "unseen" }, `${view.seats[frame.seat - 1].name}: `);
  const spelled = make("span", { class: "spelled" }, /^[-+]/.test(frame.turn) ? shown(frame.turn) : frame.turn);
  const button = make("button", { type: "button" }, piece(seat, view.board.seats, "small"), name, spelled, make("span", { class: "grade" }));
  button.onclick = () => choose(number);
  return make("tr", {}, make("td", {}, String(number)), make("th", { scope: "row" }, button), ...["", "points", "best", "", "luck"].map((kind) => make("td", { class: kind }, "…")));
}

function fillRow(found) {
  const { said, grade } = found;
  const [, turn, win, points, best, cost, luck] = rows[found.turn - 1].children;
  turn.querySelector(".spelled").textContent = said.played;
  const signs = grade ? [make("abbr", { class: grade, title: words[grade], "aria-hidden": "true" }, SIGNS[grade]), make("span", { class: "unseen" }, `, ${words[grade]}`)] : [];
  turn.querySelector(".grade").replaceChildren(...signs);
  win.textContent = said.share;
  points.textContent = said.points;
  best.textContent = found.better.length ? said.best : "";
  cost.textContent = said.cost;
  luck.textContent = said.luck;
}

// --- the graph ------------------------------------------------------------------------------------------

/** The first seat's share of the win after a number of turns, null where it is not known. */
function share(turns) {
  const found = judged.get(Math.max(turns, 1));
  const win = turns ? found?.after.win : found?.before.win;
  if (win === null || win === undefined) return null;
  return found.seat === 1 ? win : 1 - win;
}

function shape(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** Both players' shares, one on the other. */
function drawGraph() {
  const figure = byId("graph-figure");
  if (!figure) return;
  const many = rows.length;
  const known = [];
  for (let turns = 0; turns <= many; turns++) if (share(turns) !== null) known.push([turns, share(turns)]);
  if (known.length < 2) return;
  figure.hidden = false;
  const at = ([turns, win]) => `${(turns / many) * WIDTH} ${HEIGHT * (1 - win)}`;
  const line = known.map(at).join("L");
  const [first, last] = [known[0][0], known.at(-1)[0]].map((turns) => (turns / many) * WIDTH);
  const [one, other] = view.board.seats.map((seat) => seat.colour);
  const graph = byId("graph");
  graph.replaceChildren(
    shape("path", { class: `area ${other}`, d: `M${first} 0L${line}L${last} 0Z` }),
    shape("path", { class: `area ${one}`, d: `M${first} ${HEIGHT}L${line}L${last} ${HEIGHT}Z` }),
    shape("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    shape("path", { class: "run", d: `M${line}` }),
    shape("line", { class: "cursor", y1: 0, y2: HEIGHT }),
  );
  drawCursor(watching?.at ?? 0);
}

function drawCursor(turns) {
  const x = String((turns / Math.max(rows.length, 1)) * WIDTH);
  const cursor = document.querySelector("#graph .cursor");
  cursor?.setAttribute("x1", x);
  cursor?.setAttribute("x2", x);
}

/** Say in words what the graph shows, when all of it is there. */
function tellGraph() {
  if (!byId("graph-figure")) return;
  const each = Math.ceil(rows.length / MOST_TOLD);
  const turns = rows.map((_, at) => at + 1).filter((turn) => turn % each === 0 || turn === rows.length);
  const shares = turns.filter((turn) => share(turn) !== null).map((turn) => `${turn}: ${Math.round(100 * share(turn))} %`);
  byId("graph").setAttribute("aria-label", fill(words.graph, { name: view.seats[0].name, shares: shares.join(", ") }));
}

function drawLegend() {
  const seats = view.board.seats.map((seat, at) => make("span", {}, piece(seat, view.board.seats, "small"), view.seats[at].name));
  byId("legend")?.replaceChildren(...seats);
  const graph = byId("graph");
  if (graph) graph.onclick = (event) => {
    const box = graph.getBoundingClientRect();
    watching?.show(Math.round(((event.clientX - box.left) / box.width) * rows.length));
  };
}

// --- what comes -----------------------------------------------------------------------------------------

function hear(told) {
  if (told.waiting !== undefined) {
    const said = { 0: words.looking, 1: words.one_before }[told.waiting] ?? fill(words.many_before, { number: told.waiting });
    byId("progress-said").textContent = said;
    say(said);
  } else if (told.error) {
    throw new Error(told.error.message);
  } else if (told.players) {
    told.players.forEach(({ said, worst }, at) => {
      const [, cost, luck, dearest] = byId("players").rows[at].children;
      cost.textContent = said.mean_cost;
      luck.textContent = said.luck;
      const button = make("button", { type: "button" }, said.worst);
      button.onclick = () => choose(worst);
      dearest.replaceChildren(...(worst ? [button] : []));
    });
    end();
  } else {
    judged.set(told.turn, told);
    fillRow(told);
    byId("progress-bar").value = judged.size;
    byId("progress-said").textContent = fill(words.so_far, { number: judged.size, turns: rows.length });
    drawGraph();
    if (watching?.at === told.turn) showTurn(told.turn);
  }
}

function end() {
  byId("progress-bar").hidden = true;
  const found = [...judged.values()].sort((one, other) => one.turn - other.turn);
  const guess = found.findLast((turn) => !turn.exact);
  const exact = !guess ? words.all_exact : guess.turn < rows.length ? fill(words.exact_from, { turn: guess.turn + 1 }) : "";
  byId("progress-said").textContent = [words.whole, exact && `${exact}.`].filter(Boolean).join(" ");
  say(byId("progress-said").textContent);
  tellGraph();
}

/** What the house said, or that it said nothing. @param {Response} response */
async function refusal(response) {
  const answer = await response.json().catch(() => null);
  return new Error(answer?.error?.message ?? words.not_reached);
}

/** Read the answer line by line as it comes. */
async function read() {
  const response = await fetch(`${path}/analysis`);
  if (!response.ok || !response.body) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
  if (judged.size < rows.length) throw new Error(words.not_reached);
}

async function analyse() {
  if (document.activeElement === byId("retry")) byId("weighed").focus();
  byId("retry").hidden = true;
  byId("progress-bar").hidden = false;
  byId("progress-said").textContent = words.looking;
  try {
    if (!watching) await begin();
    await read();
  } catch (error) {
    const network = error instanceof TypeError;
    byId("progress-said").textContent = network ? words.not_reached : error.message;
    byId("progress-bar").hidden = true;
    byId("retry").hidden = false;
    say(byId("progress-said").textContent);
  }
}

/** Show the game itself, at its end. */
async function begin() {
  const response = await fetch(`${path}/turns`);
  if (!response.ok) throw await refusal(response);
  const { turns, beginning } = await response.json();
  rows.push(...turns.map((frame, at) => rowOf(frame, at + 1)));
  byId("turns").replaceChildren(...rows);
  watching = new Watching(board, beginning, turns, words, say, showTurn);
  watching.show(turns.length, { quietly: true });
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const down = { ArrowUp: -1, ArrowDown: 1, Home: -rows.length, End: rows.length }[key];
  if (!watching || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = /** @type {HTMLElement} */ (target).closest("#turns tr");
  if (row && down) {
    watching.show(Math.max(rows.indexOf(row) + 1 + down, 1));
    rows[watching.at - 1].querySelector("button").focus({ preventScroll: true });
  } else if (step && !/** @type {HTMLElement} */ (target).closest("#board, .fold:focus, input, select, textarea")) {
    watching.show(watching.at + step);
    if (row && watching.at) rows[watching.at - 1].querySelector("button").focus({ preventScroll: true });
  } else return;
  event.preventDefault();
});
byId("retry").onclick = analyse;
board.paint(view.board, view.labels);
board.open(new Set());
drawLegend();
analyse();
