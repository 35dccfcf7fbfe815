// The board: a grid of spaces that says what lies where, walked with the arrow keys, one space in the tab order.

import { drawing, make, shown } from "./page.js";

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
    /** @type {HTMLButtonElement[][]} */
    this.grid = [];
    /** @type {Map<string, string>} what is drawn on each space now */
    this.drawn = new Map();
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
    if (!this.grid.length) this.build(view);
    view.cells.forEach((cell, index) => {
      const space = this.space(cell.name);
      space.setAttribute("aria-label", labels[index]);
      const offers = cell.offers.length > 0;
      space.classList.toggle("offers", offers);
      if (offers) space.removeAttribute("aria-disabled");
      else space.setAttribute("aria-disabled", "true");
      this.lay(cell.name, cell.lies, cell.lies?.seat ? view.seats[cell.lies.seat - 1].colour : "");
    });
  }

  /** Draw what lies on a space. @param {string} name @param {any} lies @param {string} colour of its seat */
  lay(name, lies, colour) {
    const now = lies ? `${lies.kind} ${colour} ${lies.face ?? ""}` : "";
    if (this.drawn.get(name) === now) return;
    this.drawn.set(name, now);
    const space = this.space(name);
    if (!lies) space.replaceChildren();
    else if (lies.kind === "piece") space.replaceChildren(drawing(`piece-${colour}`, colour));
    else space.replaceChildren(tilePicture(lies.face));
  }

  build(view) {
    const rows = Array.from({ length: view.rows }, () => make("div", { role: "row" }));
    this.grid = rows.map(() => []);
    for (const cell of view.cells) {
      const space = /** @type {HTMLButtonElement} */ (
        make("button", { type: "button", class: "space", tabindex: "-1", "data-space": cell.name })
      );
      const holder = make("div", { role: "gridcell" }, space);
      if (cell.row === view.rows - 1) holder.append(make("span", { class: "axis column", "aria-hidden": "true" }, cell.name[0]));
      if (cell.column === 0) holder.append(make("span", { class: "axis row", "aria-hidden": "true" }, cell.name.slice(1)));
      rows[cell.row].append(holder);
      this.grid[cell.row][cell.column] = space;
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
    const row = this.grid.findIndex((spaces) => spaces.includes(/** @type {any} */ (event.target)));
    if (row < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const column = this.grid[row].indexOf(/** @type {any} */ (event.target));
    const last = this.grid[row].length - 1;
    const [toRow, toColumn] =
      {
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        Home: [row, 0],
        End: [row, last],
        PageUp: [0, column],
        PageDown: [this.grid.length - 1, column],
      }[event.key] ?? [];
    if (toRow === undefined) return;
    event.preventDefault();
    const space = this.grid[toRow]?.[toColumn];
    if (space) {
      this.enter(space);
      space.focus();
    }
  }

  /** Mark the space on which something was placed last. @param {string|null} name */
  markLast(name) {
    for (const [other, space] of this.spaces) space.classList.toggle("last", other === name);
  }
}
