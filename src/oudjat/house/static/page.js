// What every script of a page needs: finding elements, reading the page's data, asking the server.

/** @param {string} id @returns {any} the element with this id */
export const byId = (id) => document.getElementById(id);

/** @param {string} id @returns {any} the JSON in a data block of the page */
export const pageData = (id) => JSON.parse(byId(id).textContent);

/** Make an element. @param {string} tag @param {Record<string, string>} [attributes] @param {...(Node|string)} inside */
export function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

/** Put something else into a place. What is there already stays, so that nobody's click goes astray, and who has the
 *  focus on it keeps it. @param {Element} place @param {...Node} inside */
export function renew(place, ...inside) {
  const wanted = make("div", {}, ...inside);
  wanted.normalize();
  const next = [...wanted.children];
  for (const old of [...place.children]) if (!next.some((one) => one.isEqualNode(old))) old.remove();
  let here = place.firstElementChild;
  for (const one of next) {
    if (here?.isEqualNode(one)) here = here.nextElementSibling;
    else place.insertBefore(one, here);
  }
  while (here) {
    const gone = here;
    here = here.nextElementSibling;
    gone.remove();
  }
}

/** A rating, for eyes and for ears. @param {string} said @param {string} told */
export function rating(said, told) {
  return make("small", { class: "rating" }, make("span", { "aria-hidden": "true" }, said), make("span", { class: "unseen" }, told));
}

/** A drawing of the page's sprite. @param {string} symbol @param {string} [kind] its classes */
export function drawing(symbol, kind = "") {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.setAttribute("class", kind);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** A seat's piece; where pieces have one shape, with the seat's sign on it.
 *  @param {any} seat @param {any[]} seats all of the table @param {string} kind its classes */
export function piece(seat, seats, kind) {
  const alike = seats.some((other) => other !== seat && other.shape === seat.shape);
  if (!alike) return drawing(seat.shape, `${kind} ${seat.colour}`);
  return make("span", { class: `${kind} signed ${seat.colour}` }, drawing(seat.shape, seat.colour), drawing(`sign-${seat.colour}`, "sign"));
}

/** Fill the named gaps of a sentence. @param {string} sentence @param {Record<string, string|number>} gaps */
export const fill = (sentence, gaps) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(gaps[name]));

/** A number for eyes, with a real minus sign. @param {string|number} number */
export const shown = (number) => String(number).replace("-", "−");

/** Ask the server for something to be done, with JSON. @param {string} method @param {string} path @param {object} [body]
 *  @returns {Promise<{ok: boolean, status: number, answer: any}>} status 0: the server was not reached */
export async function ask(method, path, body = {}) {
  try {
    const response = await fetch(path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { ok: response.ok, status: response.status, answer: await response.json() };
  } catch {
    return { ok: false, status: 0, answer: null };
  }
}

/** POST JSON, see {@link ask}. @param {string} path @param {object} [body] */
export const post = (path, body = {}) => ask("POST", path, body);
