// Talk at the table: what was said, a form to say something, and whom one does not want to hear.

import { byId, fill, make, post, renew } from "./page.js";

export class Talk {
  /** @param {string} path of the table in the API @param {string} table its id @param {Record<string, string>} words
   *  @param {(sentence: string, how?: {heard: boolean}) => void} tell shows and says a sentence */
  constructor(path, table, words, tell) {
    Object.assign(this, { path, words, tell, view: null });
    this.table = table;
    this.muted = new Set(mutedSeats()[table] ?? []);
    byId("talk-on").checked = this.on;
    byId("talk-on").onchange = () => {
      localStorage.setItem("talk", byId("talk-on").checked ? "on" : "off");
      this.show(this.view);
    };
    byId("talk-form").onsubmit = (event) => this.send(event);
    byId("talk-phrase").onchange = () => byId("talk-text") && (byId("talk-text").value = "");
  }

  get on() {
    return localStorage.getItem("talk") !== "off";
  }

  /** Show what was said. @param {any} view the table */
  show(view) {
    this.view = view;
    const others = view.seats.filter((seat) => seat.kind === "person" && !seat.you);
    byId("talk-form").hidden = view.you.length === 0 || others.length === 0;
    byId("talk-fold").hidden = !this.on || (byId("talk-form").hidden && view.talk.length === 0);
    const heard = view.talk.filter((line) => !this.muted.has(line.seat));
    const name = (seat) => view.seats[seat - 1].name;
    byId("talk").replaceChildren(
      ...heard.map((line) => make("li", {}, make("b", {}, name(line.seat)), " ", line.said)).reverse(),
    );
    byId("talk").hidden = heard.length === 0;
    renew(byId("talk-mutes"), ...others.map((seat) => this.switchFor(seat)));
  }

  switchFor(seat) {
    const box = make("input", { type: "checkbox", "data-mute": String(seat.number) });
    box.checked = this.muted.has(seat.number);
    box.onchange = () => {
      if (box.checked) this.muted.add(seat.number);
      else this.muted.delete(seat.number);
      keepMuted(this.table, [...this.muted]);
      this.show(this.view);
    };
    return make("label", { class: "row" }, box, ` ${fill(this.words.mute, { name: seat.name })}`);
  }

  /** Somebody has said something. @param {any} told @param {any} view the table as it then is */
  hear(told, view) {
    if (!this.on || this.muted.has(told.seat) || view.you.includes(told.seat)) return;
    const line = view.talk.find((said) => said.seq === told.seq);
    if (!line) return;
    const { name } = view.seats[line.seat - 1];
    this.tell(fill(this.words.says, { name, said: line.said }), { heard: true });
  }

  async send(event) {
    event.preventDefault();
    const text = byId("talk-text")?.value.trim();
    const phrase = byId("talk-phrase").value;
    if (!text && !phrase) return;
    const { ok, status, answer } = await post(`${this.path}/talk`, text ? { text } : { phrase });
    if (!ok) return this.tell(status ? answer.error.message : this.words.not_sent);
    byId("talk-phrase").value = "";
    if (byId("talk-text")) byId("talk-text").value = "";
  }
}

const MOST_TABLES = 50; // at which somebody is muted, before the oldest is forgotten

/** @returns {Record<string, number[]>} the muted seats of each table at which there are any */
function mutedSeats() {
  try {
    return JSON.parse(localStorage.getItem("muted") ?? "{}");
  } catch {
    return {};
  }
}

function keepMuted(table, seats) {
  const { [table]: _, ...others } = mutedSeats();
  const kept = [...Object.entries(others), ...(seats.length ? [[table, seats]] : [])].slice(-MOST_TABLES);
  localStorage.setItem("muted", JSON.stringify(Object.fromEntries(kept)));
}
