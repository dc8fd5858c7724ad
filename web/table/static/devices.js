/* Letting devices in: the code of a scanned square, and the list that follows what happens. */
"use strict";

(() => {
  const FOLLOW_MILLISECONDS = 2000;

  /* A square's code stands behind the #, which no browser sends and no log keeps. */
  const field = document.getElementById("pair-code");
  const scanned = /^#(\d{6})$/.exec(location.hash);
  if (field && scanned) {
    field.value = scanned[1];
    history.replaceState(null, "", location.pathname);
    document.getElementById("let-me-in").focus();
  }

  const main = document.querySelector("main[data-follow]");
  if (!main) return;
  let written = false; // what somebody is writing here is left alone
  main.addEventListener("input", () => (written = true));

  function tellTime() {
    const told = main.querySelector(".countdown");
    if (!told) return;
    const left = Math.max(0, Math.ceil(Number(told.dataset.ends) - performance.now() / 1000));
    told.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }

  function begin() {
    const told = main.querySelector(".countdown");
    if (told) told.dataset.ends = performance.now() / 1000 + Number(told.dataset.seconds);
    tellTime();
  }

  const print = (part) => part.innerHTML.replace(/data-(seconds|ends)="[^"]*"|(?<=aria-hidden="true">)\d:\d\d/g, "");

  async function follow() {
    if (document.hidden || written || main.querySelector("[data-keep]")) return;
    const answer = await fetch(main.dataset.follow);
    if (!answer.ok) return location.reload();
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const shown = document.getElementById(part.id);
      if (!shown) return location.reload();
      if (print(shown) !== print(part) && !shown.contains(document.activeElement)) {
        shown.replaceWith(part);
        begin();
      }
    }
  }

  begin();
  setInterval(tellTime, 1000);
  setInterval(() => follow().catch(() => {}), FOLLOW_MILLISECONDS);
})();
