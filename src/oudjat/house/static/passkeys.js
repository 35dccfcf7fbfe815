// Passkeys: what the browser's credentials say to the house, and the house to them.

import { post } from "./page.js";

/** Whether this browser can use passkeys here: they belong to a name, reached safely. */
export const passkeysWork =
  window.isSecureContext &&
  Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON) &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Make a passkey: for a new account of this name, or one more for who is signed in.
 *  @param {string} [name] @returns what {@link post} gives; status -1: the person or the device did not want to */
export async function makePasskey(name = "") {
  const wished = await post("/api/me/passkeys/wish", { name });
  if (!wished.ok) return wished;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(wished.answer.options);
  return shown("/api/me/passkeys", () => navigator.credentials.create({ publicKey }));
}

/** Sign in by a passkey of this browser. @returns as {@link makePasskey} */
export async function usePasskey() {
  const asked = await post("/api/me/passkeys/ask");
  if (!asked.ok) return asked;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.answer.options);
  return shown("/api/me/passkeys/answer", () => navigator.credentials.get({ publicKey }));
}

async function shown(path, getting) {
  let credential;
  try {
    credential = await getting();
  } catch {
    return { ok: false, status: -1, answer: null };
  }
  return post(path, { credential: credential.toJSON() });
}
