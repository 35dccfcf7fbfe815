// Tries to reach the house again, and shows the page that was asked for as soon as it answers.

const BETWEEN_TRIES = 3_000;

async function tryAgain() {
  const answer = await fetch("/robots.txt", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

document.getElementById("again").onclick = () => location.reload();
addEventListener("online", tryAgain);
setInterval(tryAgain, BETWEEN_TRIES);
