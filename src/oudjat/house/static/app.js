// The house as an app, on every page: its service worker, and the sign on its icon, which goes when the house is seen.

navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {}); // without one all else works

const seen = () => document.visibilityState === "visible" && navigator.clearAppBadge?.().catch(() => {});
document.addEventListener("visibilitychange", seen);
seen();
