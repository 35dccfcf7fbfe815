// SHA-256 (FIPS 180-4), for pages that a browser does not trust with its own: those at http addresses in a home's network.

/** The first so many primes. @param {number} count */
function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}

/** The first 32 bits behind the point. @param {number} number */
const fraction = (number) => ((number % 1) * 2 ** 32) | 0;
const BEGINNING = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes at most 2 ** 29 @returns {string} their hash, in hexadecimal */
export function ownSha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = [...BEGINNING];
  const words = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = padded.getInt32(block + 4 * i);
      else {
        const near = words[i - 2];
        const far = words[i - 15];
        words[i] = words[i - 16] + words[i - 7] + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) + (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The hash of a text, by the browser's own SHA-256 where it lends it. @param {string} text @returns {Promise<string>} */
export async function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  if (!globalThis.crypto?.subtle) return ownSha256(bytes);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
