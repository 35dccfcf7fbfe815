// The service worker: a page for when there is no network, and notices while no page is open.
// Tables and answers of the API are never kept: what is shown of them comes from the house or not at all.
// The house writes HOUSE before this: where this version's files are, which of them to keep, the offline pages.

const KEPT = `oudjat ${HOUSE.files}`; // the files of this version
const READER = "oudjat reader"; // which language was read last
const LANGUAGE = "/language";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(event));
  else if (url.pathname.startsWith(HOUSE.files)) event.respondWith(fileOf(request));
});
self.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function install() {
  await (await caches.open(KEPT)).addAll(HOUSE.keep);
  await self.skipWaiting();
}

/** Let go of the files of other versions, and serve the pages that are open. */
async function activate() {
  for (const name of await caches.keys()) if (name !== KEPT && name !== READER) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A page from the house; without a network the one that says so, in the language read last. */
async function pageOf(event) {
  try {
    const page = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(noteLanguage(page.headers.get("content-language")));
    return page;
  } catch {
    const language = await languageRead();
    return (await caches.match(HOUSE.offline[language], { cacheName: KEPT })) ?? Response.error();
  }
}

/** A file of this version: as kept, else from the house, and kept then. */
async function fileOf(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok) await cache.put(request, file.clone());
  return file;
}

async function noteLanguage(language) {
  if (!(language in HOUSE.offline) || language === (await languageRead())) return;
  await (await caches.open(READER)).put(LANGUAGE, new Response(language));
}

async function languageRead() {
  const noted = await caches.match(LANGUAGE, { cacheName: READER });
  const language = noted ? await noted.text() : navigator.language.slice(0, 2);
  return language in HOUSE.offline ? language : "en";
}

// --- notices --------------------------------------------------------------------------------------------

/** Show a message, unless the player looks at that very page. */
async function tell({ title, body, path, tag, lang }) {
  const looking = (await pages()).some((page) => page.focused && new URL(page.url).pathname === path);
  if (looking) return;
  await self.registration.showNotification(title, {
    body, tag, lang, renotify: true, data: { path },
    icon: `${HOUSE.files}icon-192.png`, badge: `${HOUSE.files}badge-96.png`,
  });
  await navigator.setAppBadge?.();
}

/** Go where a message leads: to the page that shows it already, else to a new one. */
async function open(notification) {
  notification.close();
  const { path } = notification.data;
  const page = (await pages()).find((one) => new URL(one.url).pathname === path);
  await (page ? page.focus() : self.clients.openWindow(path));
}

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/** The push service has given this browser another address: let the house know, which keeps the wishes. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const now = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = now.toJSON();
  await fetch("/api/channels/push", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, replaces: oldSubscription.endpoint }),
  });
}
