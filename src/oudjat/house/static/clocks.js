// The clocks beside the seats: they count down here, by the browser's own steady clock, and are set right by every event.

import { fill } from "./page.js";

const TOLD_AT = [30, 10]; // seconds left at which the player is told, where so many were left when his turn began
const LOW = 30;
const DAY = 86_400;
const HOUR = 3_600;

export class Clocks {
  /** @param {Element} seats where the clocks stand @param {Record<string, string>} words
   *  @param {(sentence: string) => void} say */
  constructor(seats, words, say) {
    Object.assign(this, { seats, words, say, view: null, ahead: -Infinity, told: Infinity, turn: "" });
    this.timer = 0;
  }

  /** It is so late in the house now, or a little later: what is heard has been under way. @param {number} moment
   *  @param {{anew?: boolean}} [how] */
  hear(moment, { anew = false } = {}) {
    const ahead = moment - performance.now() / 1000;
    this.ahead = anew ? ahead : Math.max(this.ahead, ahead);
  }

  /** Show the clocks of a table as it is now. @param {any} view */
  show(view) {
    this.view = view;
    const clock = view.clock;
    if (clock) this.hear(clock.since);
    const turn = clock?.running ? `${clock.running} ${view.board.turns}` : "";
    if (turn !== this.turn) this.told = clock?.running ? clock.left[clock.running - 1] : Infinity;
    this.turn = turn;
    clearInterval(this.timer);
    this.tick();
    if (clock?.running) this.timer = window.setInterval(() => this.tick(), 200);
  }

  /** The seconds that a seat has now. @param {number} seat */
  left(seat) {
    const { left, running, since } = this.view.clock;
    const passed = running === seat ? Math.max(0, performance.now() / 1000 + this.ahead - since) : 0;
    return Math.max(0, left[seat - 1] - passed);
  }

  tick() {
    for (const place of this.seats.querySelectorAll("[data-clock]")) {
      const left = this.left(Number(place.dataset.clock));
      const text = spell(left);
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("low", left < LOW && this.view.clock.kind !== "days");
    }
    const running = this.view.clock?.running;
    if (running && this.view.you.includes(running)) this.tell(this.left(running));
  }

  tell(left) {
    const passed = TOLD_AT.filter((seconds) => left <= seconds && this.told > seconds);
    if (passed.length) this.say(fill(this.words.seconds_left, { seconds: Math.min(...passed) }));
    this.told = Math.min(this.told, left);
  }
}

/** "2 days", "23:59:59", "4:07". @param {number} seconds */
export function spell(seconds) {
  const language = document.documentElement.lang;
  if (seconds >= DAY) {
    const days = Math.floor(seconds / DAY);
    return new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" }).format(days);
  }
  const whole = Math.ceil(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / HOUR);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
