// The page about oneself. A form with data-api is sent there as JSON; what came of it, the house draws anew. Before this
// script has come, its method sends it nowhere: no password gets into an address.

import { ask, byId, make, pageData } from "./page.js";
import { makePasskey, passkeysWork, usePasskey } from "./passkeys.js";

const words = pageData("words");

for (const element of document.querySelectorAll("[data-passkeys]")) {
  element.hidden = (element.dataset.passkeys === "yes") !== passkeysWork;
}

for (const form of document.querySelectorAll("form[data-api]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter) void send(form, event.submitter);
  });
}

// no submit buttons: Enter in a field presses the first of these, and means the password
for (const button of document.querySelectorAll("button[data-passkey]")) {
  button.addEventListener("click", () => void send(button.form, button));
}

/** Do what a form asks for, once at a time. */
async function send(form, submitter) {
  const alert = form.querySelector("[role=alert]");
  alert?.replaceChildren();
  submitter.disabled = true;
  const result = await done(form, submitter);
  submitter.disabled = false;
  if (!result.ok) return complain(alert ?? byId("complaint"), result);
  if (result.answer.token) return showToken(result.answer.token);
  if (form.dataset.then) location.assign(form.dataset.then);
  else location.reload();
}

async function done(form, submitter) {
  const fields = Object.fromEntries(new FormData(form));
  if (submitter.dataset.passkey === "use") return usePasskey();
  if (submitter.dataset.passkey === "make") return makePasskey(fields.name);
  for (const box of form.querySelectorAll("input[type=checkbox]")) fields[box.name] = box.checked;
  const [method, path] = form.dataset.api.split(" ");
  return ask(method, path, fields);
}

function complain(alert, result) {
  const said = { 0: words.not_sent, [-1]: words.no_passkey }[result.status] ?? result.answer.error.message;
  alert.replaceChildren(said);
  if (result.status === 401 && document.querySelector("[data-signed-in]")) {
    alert.append(" ", make("a", { href: "/me?again" }, words.again));
  }
}

/** A bot's new token, for this once. */
function showToken(token) {
  byId("token").value = token;
  byId("token-sheet").showModal();
}
byId("token-sheet")?.addEventListener("close", () => location.reload());
byId("copy-token")?.addEventListener("click", async () => {
  byId("token").select();
  await navigator.clipboard?.writeText(byId("token").value);
  byId("token-copied").textContent = words.copied;
});

for (const box of document.querySelectorAll("input[data-at-once]")) {
  box.addEventListener("change", () => box.form.requestSubmit(box.form.querySelector("button")));
}
