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
    document.getElementById("pair-form").submit(); // who scanned it asked for that
  }

  /* So does the secret of a watch-only link. */
  const secret = document.getElementById("watch-secret");
  if (secret && location.hash) {
    secret.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    document.getElementById("watch-form").submit();
  }

  const main = document.querySelector("main[data-follow]");
  if (!main) return;
  let written = false; // what somebody is writing here is left alone
  main.addEventListener("input", () => (written = true));

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
      }
    }
  }

  setInterval(() => follow().catch(() => {}), FOLLOW_MILLISECONDS);
})();
