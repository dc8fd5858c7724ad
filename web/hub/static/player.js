/* A player who comes back to this page sees the newest state, unless they are typing or answering.
   The page works without this script too. */
"use strict";

(() => {
  const STALE_MILLISECONDS = 5000;
  const WAIT_MILLISECONDS = 30000;
  let loaded = performance.now();

  const typing = () => document.querySelector("details[open], .came-back") !== null;

  function renew() {
    if (document.hidden || typing() || performance.now() - loaded < STALE_MILLISECONDS) return;
    loaded = performance.now();
    location.reload();
  }

  /* Messages, the clock and a new round are told at once; while somebody types they wait. */
  let news = null;
  const stream = new EventSource(document.getElementById("news").dataset.stream);
  stream.addEventListener("state", (event) => {
    if (news !== null && news !== event.data && !typing()) location.reload();
    news = news ?? event.data;
  });
  stream.addEventListener("full", () => stream.close()); // too many watch: the page looks by itself
  addEventListener("pagehide", () => stream.close());

  document.addEventListener("visibilitychange", renew);
  setInterval(renew, WAIT_MILLISECONDS);
})();
