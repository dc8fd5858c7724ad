/* Keeps a part of the page at the newest state, and the clock of the board going.
   The pages work without this script too; nothing is decided here. */
"use strict";

(() => {
  const QUIET_MILLISECONDS = 16000; // three heartbeats of the hub
  const RETRY_MILLISECONDS = 1500;
  const RETRY_WHEN_FULL_MILLISECONDS = 10000;
  const CLOCK_MILLISECONDS = 1000;
  const PAGE_MILLISECONDS = 12000;
  const READING_MILLISECONDS = 30000;
  const SPILL_PIXELS = 40;
  const SETTLING_MILLISECONDS = 1000;

  const live = document.getElementById("newest");
  const lost = document.getElementById("lost");
  const clock = document.getElementById("clock");
  let stream = null;
  let watchdog = 0;
  let retry = 0;
  let touched = -Infinity; // when somebody last scrolled or tapped
  let settling = 0;
  let waiting = null; // a state that came while somebody was typing
  const newest = document.createElement("template"); // the newest state, shown or waiting

  const busy = () =>
    live.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");
  const opened = () => live.querySelector("details[open]") !== null;

  /* What is drawn already stays: a button must not be exchanged under a finger. */
  function isShown(part) {
    const template = document.createElement("template");
    template.innerHTML = part;
    return template.innerHTML.trim() === live.innerHTML.trim();
  }

  const meaning = () => live.querySelector(".next-step .primary")?.textContent;

  /* A second press must not reach the button that took the place of the first one's. */
  function settle() {
    live.classList.add("settling");
    clearTimeout(settling);
    settling = setTimeout(() => live.classList.remove("settling"), SETTLING_MILLISECONDS);
  }

  live.addEventListener(
    "click", // of a key, too
    (event) => {
      if (live.matches(".settling") && event.target.closest(".next-step .acts")) event.preventDefault();
    },
    { capture: true },
  );

  function show(part) {
    if (isShown(part)) return;
    if (busy() || opened()) {
      waiting = part;
      return;
    }
    waiting = null;
    const focused = document.activeElement?.closest("a, button");
    const words = live.contains(focused) ? focused.textContent : null;
    const before = meaning();
    live.classList.add("exchanged");
    live.innerHTML = part;
    if (meaning() !== before) settle();
    if (words !== null) {
      [...live.querySelectorAll("a, button")].find((one) => one.textContent === words)?.focus({ preventScroll: true });
    }
    tick();
  }

  function alive() {
    lost.hidden = true;
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, QUIET_MILLISECONDS);
  }

  function lose() {
    lost.hidden = false;
    stream?.close();
    clearTimeout(retry);
    retry = setTimeout(connect, RETRY_MILLISECONDS);
  }

  function connect() {
    stream = new EventSource(live.dataset.stream);
    stream.addEventListener("state", (event) => {
      alive();
      newest.innerHTML = JSON.parse(event.data);
      show(newest.innerHTML);
    });
    stream.addEventListener("pieces", (event) => {
      alive();
      for (const [name, piece] of Object.entries(JSON.parse(event.data))) {
        newest.content.getElementById(name).outerHTML = piece;
      }
      show(newest.innerHTML);
    });
    stream.addEventListener("beat", () => {
      alive();
      if (waiting !== null) show(waiting);
    });
    stream.addEventListener("full", () => {
      stream.close();
      clearTimeout(retry);
      retry = setTimeout(connect, RETRY_WHEN_FULL_MILLISECONDS);
    });
    stream.addEventListener("error", lose);
  }

  /* A hall too large for its screen: the board turns its pages by itself, unless somebody reads. */
  function turnPage() {
    const page = document.scrollingElement;
    if (!clock || performance.now() - touched < READING_MILLISECONDS) return;
    if (page.scrollHeight <= innerHeight + SPILL_PIXELS) return;
    const end = page.scrollTop + innerHeight >= page.scrollHeight - SPILL_PIXELS;
    page.scrollTo({ top: end ? 0 : page.scrollTop + innerHeight * 0.9, behavior: "smooth" });
  }

  const two = (number) => String(number).padStart(2, "0");

  function tick() {
    const now = new Date();
    if (clock) clock.textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
    for (const since of live.querySelectorAll("[data-since]")) {
      const minutes = Math.max(0, Math.floor((now - new Date(since.dataset.since)) / 60000));
      since.textContent = `(${Math.floor(minutes / 60)}:${two(minutes % 60)})`;
    }
  }

  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) connect();
  });
  for (const touch of ["wheel", "pointerdown", "keydown"]) {
    addEventListener(touch, () => (touched = performance.now()), { passive: true });
  }
  setInterval(turnPage, PAGE_MILLISECONDS);
  setInterval(tick, CLOCK_MILLISECONDS);
  settle();
  tick();
  connect();
})();
