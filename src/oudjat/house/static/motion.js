// Things that move: a tile flips, slides and turns down; a piece drops. Who prefers less motion gets cross-fades.

import { fill, make } from "./page.js";
import { tilePicture } from "./board.js";

const FLIP = 350;
const SLIDE = 400;
const FADE = 150;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Turn the top tile of the stock up, in its place. @param {HTMLElement} hand @param {string|null} face */
export async function flipUp(hand, face) {
  const back = tilePicture(null);
  const front = tilePicture(face);
  hand.querySelectorAll(":scope > .tile").forEach((tile) => tile.remove());
  if (still.matches) {
    hand.append(front);
    await front.animate([{ opacity: 0 }, { opacity: 1 }], FADE).finished;
    return;
  }
  hand.append(back);
  await back.animate([{ transform: "none" }, { transform: "rotateY(90deg) translateY(-6px)" }], { duration: FLIP / 2, easing: "ease-in" }).finished;
  back.replaceWith(front);
  await front.animate([{ transform: "rotateY(-90deg) translateY(-6px)" }, { transform: "none" }], { duration: FLIP / 2, easing: "ease-out" }).finished;
}

/** Turn the tile in the hand down and slide it to its space, where it is drawn already.
 *  @param {HTMLElement} hand @param {HTMLElement} space */
export async function slideDown(hand, space) {
  const held = hand.querySelector(":scope > .tile");
  const landed = space.querySelector(".tile");
  if (!(landed instanceof HTMLElement)) return;
  const from = (held ?? hand).getBoundingClientRect();
  const to = landed.getBoundingClientRect();
  held?.remove();
  if (still.matches) {
    await landed.animate([{ opacity: 0 }, { opacity: 1 }], FADE).finished;
    return;
  }
  const flying = make("div", { class: "flying", "aria-hidden": "true" }, tilePicture(null));
  Object.assign(flying.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px` });
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
  flying.style.transformOrigin = "0 0";
  landed.style.visibility = "hidden";
  document.body.append(flying);
  try {
    await flying.animate(
      [{ transform: `${start} rotateY(80deg)` }, { transform: `${start} rotateY(0)`, offset: 0.25 }, { transform: "none" }],
      { duration: SLIDE, easing: "cubic-bezier(.3,.1,.3,1)" },
    ).finished;
  } finally {
    flying.remove();
    landed.style.visibility = "";
  }
}

/** Let a piece drop onto its space, where it is drawn already. @param {HTMLElement} space */
export function drop(space) {
  const piece = space.querySelector("svg");
  piece?.classList.add("drop");
  piece?.addEventListener("animationend", () => piece.classList.remove("drop"), { once: true });
}

const A_STEP = 110;
const A_WAY = 700; // no way takes longer, however long

/** Let a piece walk to where it is drawn already. @param {import("./board.js").Board} board @param {string[]} walk */
export async function goAlong(board, walk) {
  const end = board.spaces.get(walk[walk.length - 1]);
  if (!end) return; // off the board
  const landed = end.querySelector(":scope > .lies") ?? end.querySelector(":scope > .pile > .lies:last-child");
  if (!(landed instanceof Element)) return;
  if (still.matches) {
    await landed.animate([{ opacity: 0 }, { opacity: 1 }], FADE).finished;
    return;
  }
  const to = landed.getBoundingClientRect();
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(to);
  const frames = walk.slice(0, -1).map((name) => {
    const [left, top] = middle(board.space(name).getBoundingClientRect());
    return { transform: `translate(${left - x}px, ${top - y}px)` };
  });
  const duration = Math.min(A_WAY, A_STEP * (walk.length - 1) + A_STEP);
  await landed.animate([...frames, { transform: "none" }], { duration, easing: "linear", composite: "replace" }).finished;
}

/** Show a throw beside the board. @param {HTMLElement} hand @param {string} kind dice or sticks
 *  @param {string} value as spelled @param {Record<string, string>} words */
export function thrown(hand, kind, value, words) {
  const throws = make("span", { class: `thrown ${kind}`, title: fill(words.thrown, { value: value.replace(",", " · ") }) });
  if (kind === "sticks") {
    const light = Number(value) % 5; // none of the four up counts five
    for (let stick = 0; stick < 4; stick++) throws.append(make("i", { class: stick < light ? "light" : "dark" }));
    throws.append(make("b", {}, value));
  } else {
    value.split(",").forEach((face, at) => throws.append(make("b", { class: at ? "other" : "own" }, face)));
  }
  hand.querySelector(":scope > .thrown")?.remove();
  hand.append(throws);
}
