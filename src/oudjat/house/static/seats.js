// The seats beside the board.

import { byId, drawing, fill, make, piece, shown } from "./page.js";

/** Draw the seats: who sits there, what he has left, and where the score is public, the score.
 *  @param {any} view @param {Record<string, string>} words @param {{counting: boolean}} how while the pieces are
 *  being counted the scores begin at 0 and nobody has won yet */
export function drawSeats(view, words, { counting }) {
  const seats = byId("seats");
  seats.classList.toggle("crowd", view.seats.length > 2);
  seats.classList.toggle("many", view.seats.length > 4);
  seats.replaceChildren(
    ...view.board.seats.map((seat, index) => {
      const info = view.seats[index];
      const item = make("li", { "data-seat": String(seat.number) });
      if (view.status === "running" && view.board.to_move === seat.number) {
        item.classList.add("due");
        item.setAttribute("aria-current", "true");
      }
      if (!counting && view.board.winners.includes(seat.number)) item.classList.add("won");
      const has = make("span", { class: "has" });
      if (counting) has.append(...score(0, 0, words));
      else if (seat.score !== null) has.append(...score(seat.score, seat.markers, words));
      if (view.clock && view.status === "running" && !info.level && !info.stand_in) {
        const runs = view.clock.running === seat.number ? "clock runs" : "clock";
        has.append(make("span", { class: runs, "data-clock": String(seat.number), role: "timer", "aria-label": words.time_left }));
      }
      if (info.stand_in && view.status === "running") has.append(make("span", { class: "stand-in" }, words.bot_plays));
      if (view.status !== "over" && seat.reserve) {
        has.append(
          left(words.pieces_left, seat.reserve.pieces, drawing(seat.shape, seat.colour)),
          left(words.tiles_left, seat.reserve.tiles, make("span", { class: "mini" }, drawing("eye"))),
        );
      }
      item.append(piece(seat, view.board.seats, "small"), make("span", { class: info.you ? "name you" : "name", title: info.name },
        make("span", { class: "called" }, info.name), ...you(info, view, words)), has);
      return item;
    }),
  );
}

/** How many are left, as a picture and a number, and as a sentence for ears. */
function left(sentence, number, picture) {
  const said = fill(sentence, { number });
  return make("span", { title: said }, picture, make("span", { "aria-hidden": "true" }, String(number)), make("span", { class: "unseen" }, said));
}

/** "(you)" behind one's own name, where others play too; behind a program's, whose it is. */
function you(info, view, words) {
  const whose = info.bot_of ? [make("small", {}, ` ${fill(words.bot_of, { name: info.bot_of })}`)] : [];
  return info.you && view.you.length < view.seats.length ? [make("small", {}, ` ${words.you}`)] : whose;
}

/** A score as the track shows it: the total, and the ±20 markers taken. */
export function score(total, markers, words) {
  const parts = [make("span", { class: "score" }, shown(total))];
  for (let marker = 0; marker < markers; marker++) {
    parts.push(make("span", { class: total < 0 ? "marker minus" : "marker", title: words.marker }, total < 0 ? "−20" : "+20"));
  }
  return parts;
}
