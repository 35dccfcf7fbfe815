// At a rated table: how strong who sits there is, beside the names; and what the game did to the ratings, told when it is
// over: the house reckons it a moment after the last turn.

import { byId, fill, make, pageData, rating, shown } from "./page.js";

const words = pageData("words");
const over = byId("over");
const table = location.pathname.split("/")[2];
const seats = byId("seats");
const AGAIN = 5_000;
let asked = false;
let players = [];
let named = "";

/** Ask until the house knows, for a minute. */
async function tell() {
  for (let wait = 250; wait < 60_000; wait *= 2) {
    const answer = await fetch(`/api/tables/${table}/ratings`).catch(() => null);
    if (answer?.ok) return draw((await answer.json()).seats);
    await new Promise((later) => setTimeout(later, wait));
  }
}

function draw(changes) {
  const rows = changes.map((seat) => {
    const gaps = { name: seat.player.name, before: shown(seat.before), after: shown(seat.after) };
    const said = fill(words.rated, gaps);
    return make("li", {}, seat.player.path ? make("a", { href: encodeURI(seat.player.path) }, said) : said);
  });
  byId("rated").replaceChildren(...rows);
  byId("rated").hidden = false;
  again();
}

function look() {
  if (over.hidden || asked) return;
  asked = true;
  void tell();
}
new MutationObserver(look).observe(over, { attributes: true, attributeFilter: ["hidden"] });
look();

/** Put beside each name how strong he is; asked for anew when somebody else has sat down. The seats are drawn anew with
 *  every turn, and this follows before anybody sees them. */
function rate() {
  const names = [...seats.querySelectorAll(".called")].map((name) => name.textContent).join("\n");
  if (names !== named) {
    named = names;
    void fetch(`/api/tables/${table}/players`, { cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
      .then((found) => {
        if (names !== named) return; // meanwhile it was asked for anew
        players = found.seats;
        rate();
      })
      .catch(() => setTimeout(again, AGAIN));
  }
  for (const { seat, name, rating_said, rating_told } of players) {
    const place = seats.querySelector(`[data-seat="${seat}"] .name`);
    const called = place?.querySelector(".called");
    if (!rating_said || called?.textContent !== name) continue;
    const strength = rating(rating_said, rating_told);
    const before = place.querySelector(".rating");
    if (before) before.replaceWith(strength);
    else called.after(" ", strength);
  }
}

function again() {
  named = "";
  rate();
}
new MutationObserver(rate).observe(seats, { childList: true });
rate();
