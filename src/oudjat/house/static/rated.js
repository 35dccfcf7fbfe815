// What a rated game did to the ratings, told when it is over: the house reckons it a moment after the last turn.

import { byId, fill, make, pageData, shown } from "./page.js";

const words = pageData("words");
const over = byId("over");
const table = location.pathname.split("/")[2];
let asked = false;

/** Ask until the house knows, for a minute. */
async function tell() {
  for (let wait = 250; wait < 60_000; wait *= 2) {
    const answer = await fetch(`/api/tables/${table}/ratings`).catch(() => null);
    if (answer?.ok) return draw((await answer.json()).seats);
    await new Promise((later) => setTimeout(later, wait));
  }
}

function draw(seats) {
  const rows = seats.map((seat) => {
    const gaps = { name: seat.player.name, before: shown(seat.before), after: shown(seat.after) };
    const said = fill(words.rated, gaps);
    return make("li", {}, seat.player.path ? make("a", { href: encodeURI(seat.player.path) }, said) : said);
  });
  byId("rated").replaceChildren(...rows);
  byId("rated").hidden = false;
}

function look() {
  if (over.hidden || asked) return;
  asked = true;
  void tell();
}
new MutationObserver(look).observe(over, { attributes: true, attributeFilter: ["hidden"] });
look();
