/* On the table's own screen: shows where phones join, also when the network comes later or changes. */
"use strict";

(() => {
  const FOLLOW_MILLISECONDS = 5000;
  const place = document.getElementById("tv-join");
  let shown = "";

  async function follow() {
    const answer = await fetch(place.dataset.follow);
    const html = answer.ok ? await answer.text() : shown;
    if (html !== shown) place.innerHTML = html;
    shown = html;
  }

  if (place?.dataset.follow) setInterval(() => follow().catch(() => {}), FOLLOW_MILLISECONDS);
})();
