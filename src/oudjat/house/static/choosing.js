// What a player has chosen of his turn: a piece, where it goes, and so on, until a turn is whole.

export class Choosing {
  constructor() {
    /** @type {string[]} */
    this.made = [];
  }

  /** Begin again with what can be chosen now. @param {any} view the BoardView */
  begin(view) {
    this.view = view;
    this.made = [];
  }

  /** What can be chosen next after some choices. @param {string[]} [made] @param {any} [from] */
  next(made = this.made, from = this.view.ways) {
    return made.reduce((here, choice) => here?.[choice] ?? {}, from);
  }

  /** The spaces that can be chosen next. */
  offered() {
    return new Set(Object.keys(this.next()));
  }

  /** The spaces that would end a turn which only the course of the game forbids. */
  barred() {
    return new Set(Object.keys(this.next(this.made, this.view.barred)));
  }

  /** Choose something. Gives the spelled turn when it is whole, null when more has to be chosen, undefined when this
   *  cannot be chosen. @param {string} name @returns {string|null|undefined} */
  choose(name) {
    if (this.made.at(-1) === name && !(name in this.next())) {
      this.made.pop(); // chosen again: taken back
      return null;
    }
    for (let kept = this.made.length; kept >= 0; kept--) {
      const made = this.made.slice(0, kept);
      const here = this.next(made);
      if (name in here) return this.take([...made, name], here[name]);
      const alone = Object.keys(here).filter((choice) => typeof here[choice] === "object" && name in here[choice]);
      if (kept === this.made.length && alone.length === 1) return this.take([...made, alone[0], name], here[alone[0]][name]);
    }
    for (const from of [this.made, []]) {
      const here = this.next(from, this.view.barred);
      const found = here[name] ?? Object.values(here).find((further) => typeof further === "object" && name in further)?.[name];
      if (typeof found === "string") return found; // the house says why not
    }
    return undefined;
  }

  /** @param {string[]} made @param {any} found */
  take(made, found) {
    if (typeof found === "string") return found;
    this.made = made;
    return null;
  }

  /** The pieces as they would stand after what was chosen: pairs of the space left and the space entered. */
  moved() {
    const spaces = this.made.filter((choice) => this.view.cells.some((cell) => cell.name === choice));
    return Array.from({ length: Math.floor(spaces.length / 2) }, (_, at) => [spaces[2 * at], spaces[2 * at + 1]]);
  }
}
