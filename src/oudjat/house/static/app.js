// The house as an app: its service worker, on every page.

navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {}); // without one all else works
