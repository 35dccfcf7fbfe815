// How the tab of a waiting player tells that it is his turn: by its title and its sign.

const title = document.title;
const sign = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const usual = sign.href;

/** @param {boolean} mine whether it is this player's turn @param {string} said how that is called */
export function tellTab(mine, said) {
  document.title = mine ? `● ${said} · Oudjat` : title;
  const wanted = mine ? usual.replace(/icon\.svg$/, "icon-turn.svg") : usual;
  if (sign.href !== wanted) sign.href = wanted;
}
