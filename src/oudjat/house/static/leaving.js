// Resigning, leaving, and taking one's seat back from the bot that stands in.

import { byId, fill, post } from "./page.js";

export class Leaving {
  /** @param {string} path of the table in the API @param {Record<string, string>} words
   *  @param {(sentence: string) => void} toast */
  constructor(path, words, toast) {
    Object.assign(this, { path, words, toast, view: null });
    this.dialog = byId("resign-dialog");
    byId("resign").onclick = () => this.dialog.showModal();
    this.dialog.onclose = () => {
      if (this.dialog.returnValue === "resign") this.ask("resign");
      this.dialog.returnValue = "";
    };
    byId("leave").onclick = () => this.ask("leave");
    byId("wait-no-longer").onclick = async () => (await this.ask("leave")) && location.assign("/");
    byId("return").onclick = () => this.ask("return");
  }

  /** Offer what is possible now. @param {any} view */
  show(view) {
    this.view = view;
    const mine = view.you.map((seat) => view.seats[seat - 1]);
    const playing = view.status === "running" && mine.some((seat) => !seat.gave_up);
    byId("resign").hidden = !playing || view.abortable;
    byId("leave").hidden = !playing || !view.abortable;
    byId("wait-no-longer").hidden = view.status !== "waiting" || !mine.length;
    byId("return").hidden = !(playing && mine.some((seat) => seat.stand_in && !seat.gave_up));
    const waiting = byId("open-seats");
    if (waiting) {
      const free = view.seats.filter((seat) => seat.kind === "open").length;
      waiting.hidden = view.status !== "waiting" || free === 0;
      byId("sit").hidden = mine.length > 0;
      byId("keep-open").hidden = mine.length === 0;
    }
  }

  async ask(what) {
    const { ok, status, answer } = await post(`${this.path}/${what}`);
    if (!ok) this.toast(status ? answer.error.message : this.words.not_sent);
    return ok;
  }
}

/** How many watch. @param {number} count @param {Record<string, string>} words */
export function showWatchers(count, words) {
  byId("watchers").hidden = count === 0;
  byId("watchers-count").textContent = count === 1 ? words.one_watches : fill(words.many_watch, { count });
}
