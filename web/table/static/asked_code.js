/* On the pages of owners: shows the code that a device asks for as soon as it does, and how long
   a code still counts. */
"use strict";

(() => {
  const FOLLOW_MILLISECONDS = 2000;
  const place = document.getElementById("asked");
  const digits = (part) => part.querySelector("code")?.textContent;

  function tellTime() {
    for (const told of document.querySelectorAll(".countdown")) {
      const now = performance.now() / 1000;
      told.dataset.ends ??= now + Number(told.dataset.seconds);
      const left = Math.max(0, Math.ceil(Number(told.dataset.ends) - now));
      told.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  }

  async function follow() {
    if (document.hidden) return;
    // A refusal may pass: the table's own browser is a stranger while it reaches into the network.
    const answer = await fetch(place.dataset.follow);
    const fresh = document.createElement("template");
    fresh.innerHTML = answer.ok ? await answer.text() : "";
    if (digits(fresh.content) !== digits(place)) place.replaceChildren(fresh.content);
    tellTime();
  }

  tellTime();
  setInterval(tellTime, 1000);
  if (!place) return; // the page of devices shows every code by itself
  setInterval(() => follow().catch(() => {}), FOLLOW_MILLISECONDS);

  place.addEventListener("submit", async (event) => {
    event.preventDefault(); // else what is written on the page around it would be lost
    await fetch(event.target.action, { method: "POST", body: new FormData(event.target) });
    place.replaceChildren();
  });
})();
