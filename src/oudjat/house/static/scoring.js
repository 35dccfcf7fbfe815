// The scoring (IO-14): piece by piece, colour by colour, the markers running along the tracks.

import { byId, drawing, make, shown } from "./page.js";
import { pause } from "./motion.js";

const A_PIECE = 600;
const LONGEST_TRACK = 20;

/** Draw both tracks, 1 to 20. */
export function drawTracks() {
  for (const track of [byId("track-plus"), byId("track-minus")]) {
    track?.replaceChildren(...Array.from({ length: LONGEST_TRACK }, (_, at) => make("li", {}, String(at + 1))));
  }
}

/** Put each seat's marker where its score stands. @param {{shape: string, colour: string, mark: number}[]} marks */
export function placeMarkers(marks) {
  document.querySelectorAll(".runner").forEach((runner) => runner.remove());
  for (const { shape, colour, mark } of marks) {
    if (!mark) continue;
    const track = byId(mark > 0 ? "track-plus" : "track-minus");
    track.children[Math.abs(mark) - 1].append(drawing(shape, `runner ${colour}`));
  }
}

export class Scoring {
  /** @param {import("./board.js").Board} board @param {(seat: number, step: any) => void} onStep
   *  @param {(sentence: string) => void} say */
  constructor(board, onStep, say) {
    this.board = board;
    this.onStep = onStep;
    this.say = say;
    this.skipped = false;
    this.hurry = () => {};
  }

  /** Show it all. Ends early when skipped. @param {any} view of a finished game */
  async run(view) {
    const marks = view.board.seats.map((seat) => ({ shape: seat.shape, colour: seat.colour, mark: 0 }));
    placeMarkers(marks);
    let said = 0;
    let seat = 0;
    for (const step of view.scoring) {
      if (this.skipped) break;
      if (step.seat !== seat) {
        seat = step.seat;
        this.say(view.scoring_said[said++]);
      }
      const space = this.board.space(step.space);
      const kind = step.worth > 0 ? "plus" : step.worth < 0 ? "minus" : "zero";
      const badge = make("span", { class: `worth ${kind}`, "aria-hidden": "true" }, step.worth > 0 ? `+${step.worth}` : shown(step.worth));
      space.classList.add("counting");
      for (const [near] of step.tiles) this.board.space(near).classList.add("beside");
      space.append(badge);
      marks[step.seat - 1].mark = step.mark;
      placeMarkers(marks);
      this.onStep(step.seat, step);
      await Promise.race([pause(A_PIECE), new Promise((done) => (this.hurry = () => done(undefined)))]);
      badge.remove();
      space.classList.remove("counting");
      space.classList.add("done");
      for (const [near] of step.tiles) this.board.space(near).classList.remove("beside");
    }
    for (const space of this.board.spaces.values()) space.classList.remove("done", "counting", "beside");
  }

  /** End it now. */
  skip() {
    this.skipped = true;
    this.hurry();
  }
}
