// boardgame.io as a peer: node peer.mjs serve FOLDER | node peer.mjs play PORT TABLES RATE SECONDS.
// The game is as small as it gets: two players place on a board of 36 spaces in turn. RATE 0: as fast as they hear.

import { createRequire } from "node:module";
import process from "node:process";

const require = createRequire(`${process.cwd()}/`);
const WARM = 3000;

const game = {
  name: "place",
  setup: () => ({ cells: Array(36).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, space) => {
      if (G.cells[space] !== null) return "INVALID_MOVE";
      G.cells[space] = playerID;
    },
  },
  endIf: ({ G }) => (G.cells.every((cell) => cell !== null) ? { over: true } : undefined),
};

async function serve(folder) {
  const { Server, FlatFile, Origins } = require("boardgame.io/server");
  const server = Server({ games: [game], db: new FlatFile({ dir: folder }), origins: [Origins.LOCALHOST] });
  const { appServer } = await server.run({ port: 0 });
  console.log(`port ${appServer.address().port}`);
}

class Table {
  constructor(port, figures) {
    Object.assign(this, { port, figures, sockets: [], heard: [0, 0], state: 0, mover: 1 });
  }

  async begin() {
    const { io } = require("socket.io-client");
    const answer = await fetch(`http://127.0.0.1:${this.port}/games/place/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ numPlayers: 2 }),
    });
    this.id = (await answer.json()).matchID;
    this.free = [...Array(36).keys()];
    this.sockets = [0, 1].map(() =>
      io(`http://127.0.0.1:${this.port}/place`, { transports: ["websocket"], forceNew: true, reconnection: false }),
    );
    await Promise.all(
      this.sockets.map((socket, seat) => new Promise((done) => {
        socket.on("sync", () => done());
        socket.on("update", (id, state) => this.hear(seat, state));
        socket.emit("sync", this.id, String(seat), undefined, 2);
      })),
    );
  }

  submit() {
    this.mover = 1 - this.mover;
    const seat = this.mover;
    const [space] = this.free.splice(Math.floor(Math.random() * this.free.length), 1);
    const payload = { type: "place", args: [space], playerID: String(seat) };
    this.sent = performance.now();
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, this.state, this.id, String(seat));
  }

  hear(seat, state) {
    if (state._stateID <= this.heard[seat]) return;
    this.heard[seat] = state._stateID;
    const took = performance.now() - this.sent;
    if (this.figures.counting) (seat === this.mover ? this.figures.own : this.figures.others).push(took);
    if (Math.min(...this.heard) <= this.state) return;
    this.state = state._stateID;
    if (this.figures.counting) this.figures.turns += 1;
    this.ready(this);
  }

  close() {
    for (const socket of this.sockets) socket.disconnect();
  }
}

async function play(port, tables, rate, seconds) {
  const figures = { counting: false, turns: 0, own: [], others: [] };
  const period = rate ? (1000 * tables) / rate : 0;
  let stopping = false;
  const next = (table) => {
    if (stopping) return;
    if (!rate) return table.submit();
    const now = performance.now();
    table.due = Math.max(table.due, now - period);
    setTimeout(() => stopping || table.submit(), Math.max(0, table.due - now));
    table.due = Math.max(table.due, now) + period * (0.5 + Math.random());
  };
  const open = async (due) => {
    const table = new Table(port, figures);
    table.ready = async () => {
      if (table.free.length) return next(table);
      table.close();
      if (!stopping) await open(table.due);
    };
    await table.begin();
    table.due = due;
    return next(table);
  };
  for (let at = 0; at < tables; at += 20) {
    await Promise.all(
      [...Array(Math.min(20, tables - at))].map(() => open(performance.now() + Math.random() * period)),
    );
  }
  await new Promise((done) => setTimeout(done, WARM));
  figures.counting = true;
  console.log("counting");
  const began = performance.now();
  await new Promise((done) => setTimeout(done, seconds * 1000));
  figures.counting = false;
  const took = (performance.now() - began) / 1000;
  stopping = true;
  const { turns, own, others } = figures;
  process.stdout.write(`${JSON.stringify({ turns, seconds: took, own, others })}\n`, () => process.exit(0));
}

const [what, ...rest] = process.argv.slice(2);
await (what === "serve" ? serve(rest[0]) : play(...rest.map(Number)));
