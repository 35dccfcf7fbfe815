// The table's events as they happen. A lost connection comes back by itself and misses nothing.

const SILENCE = 40_000; // the server beats every 15 seconds

export class Stream {
  /** @param {string} path @param {() => number} after the number of the last event that is known
   *  @param {(told: any) => void} onTold @param {(connected: boolean) => void} onConnection
   *  @param {Record<string, (told: any) => void>} others what is told without a number, by its kind */
  constructor(path, after, onTold, onConnection, others = {}) {
    Object.assign(this, { path, after, onTold, onConnection, others });
    this.heard = Date.now();
    this.open();
    setInterval(() => this.check(), 5_000);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.check());
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.onConnection(false));
  }

  open() {
    this.source?.close();
    this.source = new EventSource(`${this.path}?after=${this.after()}`);
    this.heard = Date.now();
    this.source.onopen = () => {
      this.heard = Date.now();
      this.onConnection(true);
    };
    this.source.onmessage = (event) => {
      this.heard = Date.now();
      this.onTold(JSON.parse(event.data));
    };
    this.source.addEventListener("beat", () => (this.heard = Date.now()));
    for (const [kind, hear] of Object.entries(this.others)) {
      this.source.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
    }
    this.source.addEventListener("bye", () => (this.parting = true));
    this.source.onerror = () => {
      if (!this.parting) this.onConnection(false);
      this.parting = false; // a server that closes is back in a moment, or another one is
    };
  }

  check() {
    if (this.source.readyState === EventSource.CLOSED || Date.now() - this.heard > SILENCE) this.open();
  }
}
