// The board: a grid of spaces that says what lies where, walked with the arrow keys, one space in the tab order.

import { drawing, make, piece, shown } from "./page.js";

const SIDES = { n: "north", e: "east", s: "south", w: "west" };
const narrow = matchMedia("(max-width: 47.99em) and (orientation: portrait)");

/** A tile's picture; face down every one is the same. @param {string|null} face */
export function tilePicture(face) {
  if (face === null) return make("span", { class: "tile" }, drawing("eye"));
  return make("span", { class: `tile ${face.startsWith("-") ? "minus" : "plus"}` }, make("b", {}, shown(face)));
}

export class Board {
  /** @param {HTMLElement} root @param {(name: string) => void} onChoose called with the space that was chosen */
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    /** @type {Map<string, HTMLButtonElement>} */
    this.spaces = new Map();
    /** @type {HTMLButtonElement[][]} a space that is longer than one stands in every place that it takes */
    this.grid = [];
    /** @type {Map<string, string>} what is drawn on each space now */
    this.drawn = new Map();
    /** @type {any[]} */
    this.seats = [];
    root.addEventListener("keydown", (event) => this.walk(event));
    root.addEventListener("click", (event) => {
      const space = /** @type {HTMLElement} */ (event.target).closest("button.space");
      if (space instanceof HTMLButtonElement) {
        this.enter(space);
        this.onChoose(space.dataset.space ?? "");
      }
    });
  }

  /** @param {any} view the BoardView @param {string[]} labels what each cell says of itself */
  paint(view, labels) {
    this.seats = view.seats;
    if (!this.grid.length) this.build(view);
    view.cells.forEach((cell, index) => {
      this.space(cell.name).setAttribute("aria-label", labels[index]);
      this.lay(cell.name, cell.lies, cell.pile);
    });
    this.open(new Set(view.cells.filter((cell) => cell.offers.length).map((cell) => cell.name)));
  }

  /** Show what can be chosen. @param {Set<string>} offered @param {string[]} chosen so far
   *  @param {Set<string>} barred what only the course of the game forbids */
  open(offered, chosen = [], barred = new Set()) {
    for (const [name, space] of this.spaces) {
      space.classList.toggle("offers", offered.has(name));
      space.classList.toggle("chosen", chosen.includes(name));
      space.classList.toggle("barred", barred.has(name) && !offered.has(name));
      if (chosen.includes(name)) space.setAttribute("aria-pressed", "true");
      else space.removeAttribute("aria-pressed");
      if (offered.has(name) || chosen.includes(name)) space.removeAttribute("aria-disabled");
      else space.setAttribute("aria-disabled", "true");
    }
  }

  /** Draw what lies on a space. @param {string} name @param {any} lies @param {any[]} [pile] on a space for several */
  lay(name, lies, pile = []) {
    const now = JSON.stringify([lies, pile]);
    if (this.drawn.get(name) === now) return;
    this.drawn.set(name, now);
    const space = this.space(name);
    space.querySelectorAll(":scope > .lies, :scope > .pile").forEach((old) => old.remove());
    if (lies) space.append(this.picture(lies));
    if (pile.length) space.append(make("span", { class: "pile" }, ...pile.map((one) => this.picture(one))));
  }

  /** What lies somewhere, drawn. @param {any} lies */
  picture(lies) {
    if (lies.kind === "tile") {
      const tile = tilePicture(lies.face);
      tile.classList.add("lies");
      return tile;
    }
    if (!lies.seat) return drawing(this.seats[0].shape, "lies piece neutral");
    return piece(this.seats[lies.seat - 1], this.seats, "lies piece");
  }

  build(view) {
    const rows = Array.from({ length: view.rows }, () => make("div", { role: "row" }));
    this.grid = rows.map(() => []);
    const lettered = view.cells.every((cell) => /^[a-z]/.test(cell.name));
    this.root.style.setProperty("--rows", view.rows);
    this.root.style.setProperty("--columns", view.columns);
    this.long = view.columns > 2 * view.rows;
    const table = this.root.closest(".table") ?? this.root;
    table.style.setProperty("--across", `${view.columns} / ${view.rows * 1.12}`);
    table.style.setProperty("--ratio", String(view.columns / view.rows / 1.12));
    table.style.setProperty("--longest", String(view.columns));
    for (const cell of view.cells) {
      const space = /** @type {HTMLButtonElement} */ (
        make("button", { type: "button", class: "space", tabindex: "-1", "data-space": cell.name })
      );
      const holder = make("div", { role: "gridcell" }, space);
      if (cell.walls === "nesw") space.classList.add("enclosed");
      if (cell.mark) {
        space.classList.add(`on-${cell.mark}`);
        space.append(drawing(`mark-${cell.mark}`, "mark"));
      }
      if (!lettered && cell.walls !== "nesw") space.append(make("span", { class: "number", "aria-hidden": "true" }, cell.name));
      for (const side of cell.walls) holder.append(make("i", { class: `wall ${SIDES[side]}` }));
      for (const side of cell.doors) holder.append(make("i", { class: `door ${SIDES[side]}` }));
      const place = { row: cell.row + 1, column: cell.column + 1, rows: cell.rows, columns: cell.columns, back: view.columns - cell.column - cell.columns + 1 };
      for (const [key, value] of Object.entries(place)) holder.style.setProperty(`--${key}`, String(value));
      if (lettered && cell.row === view.rows - 1) holder.append(make("span", { class: "axis column", "aria-hidden": "true" }, cell.name[0]));
      if (lettered && cell.column === 0) holder.append(make("span", { class: "axis row", "aria-hidden": "true" }, cell.name.slice(1)));
      rows[cell.row].append(holder);
      for (let row = cell.row; row < cell.row + cell.rows; row++) {
        for (let column = cell.column; column < cell.column + cell.columns; column++) this.grid[row][column] = space;
      }
      this.spaces.set(cell.name, space);
    }
    this.root.replaceChildren(...rows);
    this.grid[Math.floor(view.rows / 2)][Math.floor(view.columns / 2)].tabIndex = 0;
  }

  /** @param {string} name @returns {HTMLButtonElement} */
  space(name) {
    const space = this.spaces.get(name);
    if (!space) throw new Error(`no space ${name}`);
    return space;
  }

  /** Make a space the one in the tab order. @param {HTMLButtonElement} space */
  enter(space) {
    for (const other of this.spaces.values()) other.tabIndex = other === space ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const here = /** @type {any} */ (event.target);
    if (!this.spaces.has(here.dataset?.space) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.grid.findIndex((spaces) => spaces.includes(here));
    const column = this.grid[row].indexOf(here);
    const upright = this.long && narrow.matches; // the board stands on its first column
    const lastRow = this.grid.length - 1;
    const lastColumn = this.grid[row].length - 1;
    const steps = upright
      ? { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }
      : { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const jumps = { Home: [row, 0], End: [row, lastColumn], PageUp: [0, column], PageDown: [lastRow, column] };
    let space = jumps[event.key] ? this.grid[jumps[event.key][0]][jumps[event.key][1]] : null;
    if (steps[event.key]) {
      let [toRow, toColumn] = [row, column];
      do {
        toRow += steps[event.key][0];
        toColumn += steps[event.key][1];
        space = this.grid[toRow]?.[toColumn];
      } while (space === here);
    } else if (!space) return;
    event.preventDefault();
    if (space) {
      this.enter(space);
      space.focus();
    }
  }

  /** Mark where something was placed last, or the way that a piece went. @param {string[]} names the last one ends it */
  markLast(names) {
    for (const [other, space] of this.spaces) {
      space.classList.toggle("last", other === names.at(-1));
      space.classList.toggle("walked", names.includes(other) && other !== names.at(-1));
    }
  }
}
