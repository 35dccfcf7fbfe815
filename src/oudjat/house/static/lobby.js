// The lobby on the front page: open tables and tables to watch, as they come and go. Asked for again every few seconds
// while somebody looks; what has not changed is not sent again.

import { byId, fill, make, pageData } from "./page.js";

const BETWEEN = 4_000;
const words = pageData("lobby-words");
let tag = "";

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/api/tables", { headers: tag ? { "if-none-match": tag } : {}, cache: "no-store" });
    if (!answer.ok) return; // 304: as before
    tag = answer.headers.get("etag") ?? "";
    const { open, running } = await answer.json();
    show("lobby-open", open, true);
    show("lobby-running", running, false);
  } catch {
    // the house is away for a moment; the next look finds it
  }
}

/** @param {string} list @param {any[]} tables @param {boolean} free whether one can sit down there */
function show(list, tables, free) {
  const there = byId(list);
  const focused = there.contains(document.activeElement) ? document.activeElement.dataset.table : null;
  there.replaceChildren(...tables.map((table) => entry(table, free)));
  byId(`${list}-none`).hidden = tables.length > 0;
  if (focused) there.querySelector(`[data-table="${focused}"]`)?.focus();
}

function entry(table, free) {
  const names = table.seats.map((seat) =>
    make("span", { class: seat.kind === "free" ? "name free" : "name" }, seat.kind === "free" ? words.free : seat.name),
  );
  const about = [table.game_name, table.clock_said || words.no_clock, table.rated ? words.rated : ""].filter(Boolean);
  const players = table.seats.filter((seat) => seat.kind !== "free").map((seat) => seat.name).join(", ");
  const label = fill(free ? words.sit_with : words.watch_these, { players, game: table.game_name });
  const door = free
    ? make("form", { method: "post", action: `${table.path}/sit` },
        make("button", { type: "submit", "aria-label": label, "data-table": table.table }, words.sit_down))
    : make("a", { class: "button", href: table.path, "aria-label": label, "data-table": table.table }, words.watch);
  return make("li", {}, make("div", {}, make("span", { class: "who" }, ...names), make("span", { class: "how" }, about.join(" · "))), door);
}

look();
setInterval(look, BETWEEN);
document.addEventListener("visibilitychange", look);
