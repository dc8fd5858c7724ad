/* Photographs are sent as soon as they are chosen; learning is followed to its end.
   Without this script a button sends them, and the page is loaded again and again. */
"use strict";

(() => {
  const POLL_MILLISECONDS = 1000;
  const main = document.getElementById("main");

  for (const form of document.querySelectorAll("form.sends")) {
    const field = form.querySelector("input[type=file]");
    const label = form.querySelector("label.button");
    field.addEventListener("change", () => {
      if (!field.files.length || !form.reportValidity()) return;
      label.classList.add("looking");
      label.textContent = main.dataset.looking;
      main.setAttribute("aria-busy", "true");
      form.requestSubmit();
    });
  }

  const learning = document.getElementById("learning");
  if (learning) setTimeout(follow, POLL_MILLISECONDS);

  async function follow() {
    try {
      const answer = await fetch(learning.dataset.progress, { headers: { Accept: "application/json" } });
      const now = await answer.json();
      if (!now.running) {
        location.reload();
        return;
      }
      document.getElementById("learning-words").textContent = now.words;
      const bar = document.getElementById("learning-bar");
      bar.max = now.of;
      bar.value = now.done;
    } catch {
      // the table is away for a moment: it is asked again
    }
    setTimeout(follow, POLL_MILLISECONDS);
  }

  document.body.classList.add("scripted-page");
  document.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
})();
