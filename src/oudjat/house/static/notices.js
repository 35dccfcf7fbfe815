// How a player is told what he waits for: this browser, other browsers, webhooks. Each with when and how.

import { ask, byId, fill, make, pageData } from "./page.js";

const PATH = "/api/channels";
const told = byId("told");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
const { push_key: pushKey, channels } = pageData("channels");
const worker = "PushManager" in window && "Notification" in window ? navigator.serviceWorker?.ready : undefined;
let here = /** @type {PushSubscription|null} */ (null);

/** What stands in a channel's heading: what it is, and for a webhook where. */
function nameOf(channel) {
  const names = byId("channel").dataset;
  if (channel.kind === "push") return channel.address === here?.endpoint ? names.here : names.push;
  const where = URL.canParse(channel.address) ? new URL(channel.address).host : channel.address;
  return `${names[channel.kind]}: ${where}`;
}

function paint() {
  byId("here").replaceChildren();
  byId("elsewhere").replaceChildren();
  for (const channel of channels) {
    const list = channel.address === here?.endpoint ? "here" : "elsewhere";
    byId(list).append(drawn(channel));
  }
  const known = channels.some((channel) => channel.address === here?.endpoint);
  const state = !worker ? "cannot" : Notification.permission === "denied" ? "denied" : known ? "on" : "off";
  for (const sentence of told.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
  byId("tell-here").hidden = state !== "off";
}

function drawn(channel) {
  const item = byId("channel").content.firstElementChild.cloneNode(true);
  const heading = item.querySelector("h3");
  const [when, how] = item.querySelectorAll("select");
  heading.textContent = nameOf(channel);
  heading.id = `channel-${channel.id}`;
  item.dataset.channel = channel.id;
  item.classList.toggle("stopped", channel.stopped);
  item.querySelector(".trouble").hidden = !channel.stopped;
  for (let hour = 0; hour < 24; hour++) {
    const at = clock.format(new Date(2000, 0, 1, hour));
    how.append(make("option", { value: String(hour) }, fill(byId("once-a-day").innerHTML, { hour: at })));
  }
  when.value = channel.away_only ? "away" : "always";
  how.value = channel.digest_hour === null ? "" : String(channel.digest_hour);
  for (const control of item.querySelectorAll("select, button")) control.setAttribute("aria-describedby", heading.id);
  when.onchange = how.onchange = () => change(channel, when.value === "away", how.value === "" ? null : Number(how.value));
  item.querySelector("[data-do=test]").onclick = () => tryIt(channel);
  item.querySelector("[data-do=remove]").onclick = () => remove(channel);
  return item;
}

const itemOf = (channel) => told.querySelector(`[data-channel="${channel.id}"]`);

/** Say something beside a channel, or at one of the two places where channels are added. */
function say(place, { ok, status, answer }, done = "") {
  const where = typeof place === "string" ? byId(place) : itemOf(place)?.querySelector(".said");
  if (where) where.textContent = ok ? done : status ? answer.error.message : told.dataset.notSent;
  return ok;
}

/** Keep a channel as the house answered, and show it. */
function keep(channel) {
  const at = channels.findIndex((known) => known.id === channel.id);
  if (at < 0) channels.push(channel);
  else channels[at] = channel;
  paint();
}

async function change(channel, awayOnly, hour) {
  const wish = { away_only: awayOnly, digest_hour: hour, zone };
  const result = await ask("POST", `${PATH}/${channel.id}`, wish);
  if (result.ok) Object.assign(channel, result.answer.channel);
  if (result.ok) itemOf(channel).querySelector(".trouble").hidden = true;
  itemOf(channel).classList.toggle("stopped", channel.stopped);
  say(channel, result, told.dataset.saved);
}

async function tryIt(channel) {
  const result = await ask("POST", `${PATH}/${channel.id}/test`);
  if (!result.ok) return say(channel, result);
  const { sent, said } = result.answer;
  if (sent) keep({ ...channel, stopped: false });
  itemOf(channel).querySelector("[data-do=test]").focus();
  return say(channel, result, sent ? told.dataset.sent : said);
}

async function remove(channel) {
  const result = await ask("DELETE", `${PATH}/${channel.id}`);
  if (!say(channel, result)) return;
  const mine = channel.address === here?.endpoint;
  if (mine) await here.unsubscribe();
  if (mine) here = null;
  channels.splice(channels.findIndex((known) => known.id === channel.id), 1);
  paint();
  byId(mine ? "told-here" : "told-elsewhere").focus();
}

/** Ask for the permission, on a click only, and let the house know this browser. */
async function tellHere() {
  if ((await Notification.requestPermission()) !== "granted") return paint();
  try {
    const { pushManager } = await worker;
    here = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  } catch {
    byId("here-said").textContent = told.dataset.noService;
    return undefined;
  }
  const { p256dh, auth } = here.toJSON().keys;
  const result = await ask("POST", `${PATH}/push`, { endpoint: here.endpoint, p256dh, auth, zone });
  if (!say("here-said", result)) return undefined;
  keep(result.answer.channel);
  return itemOf(result.answer.channel).querySelector("h3").focus();
}

async function addWebhook() {
  const url = byId("webhook-url").value.trim();
  const result = await ask("POST", `${PATH}/webhook`, { url, kind: byId("webhook-kind").value, zone });
  if (!say("webhook-said", result)) return byId("webhook-url").focus();
  byId("webhook").reset();
  keep(result.answer.channel);
  return itemOf(result.answer.channel).querySelector("h3").focus();
}

/** The kind that an address speaks for. */
function guessKind() {
  const host = URL.canParse(byId("webhook-url").value) ? new URL(byId("webhook-url").value).hostname : "";
  if (/(^|\.)discord(app)?\.com$/.test(host)) byId("webhook-kind").value = "discord";
  else if (/(^|\.)slack\.com$/.test(host)) byId("webhook-kind").value = "slack";
  else if (host) byId("webhook-kind").value = "json";
}

byId("tell-here").onclick = tellHere;
byId("webhook-url").onchange = guessKind;
byId("webhook").onsubmit = (event) => {
  event.preventDefault();
  addWebhook();
};
paint();
worker?.then(async ({ pushManager }) => {
  here = await pushManager.getSubscription();
  if (!here) return; // painted as it is; once more would take away the focus, and what was said meanwhile
  paint();
  const channel = channels.find((known) => known.address === here.endpoint);
  if (channel && channel.language !== document.documentElement.lang) {
    await ask("POST", `${PATH}/${channel.id}`, {
      away_only: channel.away_only, digest_hour: channel.digest_hour, zone,
    });
  }
});
