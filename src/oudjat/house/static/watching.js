// Watching a finished game again, turn by turn, all tiles face up.

import { byId, fill, shown } from "./page.js";

export class Watching {
  /** @param {import("./board.js").Board} board @param {any[]} beginning every space before the first turn
   *  @param {any[]} frames
   *  @param {Record<string, string>} words @param {(sentence: string) => void} say
   *  @param {(turns: number) => string} more what else is to be said after so many turns */
  constructor(board, beginning, frames, words, say, more = () => "") {
    Object.assign(this, { board, beginning, frames, words, say, more });
    this.slider = byId("watch-at");
    this.slider.max = String(frames.length);
    const move = (to) => () => this.show(to());
    byId("watch-first").onclick = move(() => 0);
    byId("watch-back").onclick = move(() => this.at - 1);
    byId("watch-on").onclick = move(() => this.at + 1);
    byId("watch-last").onclick = move(() => frames.length);
    this.slider.oninput = move(() => Number(this.slider.value));
    this.show(0);
  }

  /** The board after a number of turns. @param {number} turns @param {{quietly?: boolean}} [how] */
  show(turns, { quietly = false } = {}) {
    this.at = Math.min(Math.max(turns, 0), this.frames.length);
    this.slider.value = String(this.at);
    const { board, words } = this;
    const lying = new Map(this.beginning.map((change) => [change.name, change]));
    for (const frame of this.frames.slice(0, this.at)) {
      for (const change of frame.changes) lying.set(change.name, change);
    }
    for (const [name, change] of lying) {
      board.lay(name, change.lies, change.pile);
      board.space(name).setAttribute("aria-label", change.label);
    }
    const frame = this.frames[this.at - 1];
    board.markLast(frame?.walks[0] ?? (frame?.changes.length ? [frame.changes[0].name] : []));
    const where = fill(words.turn_of, { turn: this.at, turns: this.frames.length });
    this.slider.setAttribute("aria-valuetext", where);
    const said = fill(words.turn_says, { where, said: frame ? shown(frame.said) : words.start });
    byId("watch-said").textContent = said;
    const more = this.more(this.at);
    if (!quietly) this.say([said, more].filter(Boolean).join(" "));
  }
}
