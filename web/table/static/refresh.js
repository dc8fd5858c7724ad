/* Keeps parts of a page as the table has them now, as often as each says. */
"use strict";

for (const place of document.querySelectorAll("[data-refresh]")) {
  const { refresh, milliseconds } = place.dataset;
  let shown = "";
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(refresh).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => shown) : shown;
    if (html !== shown) {
      const unfolded = [...place.querySelectorAll("details[open]")].map(({ id }) => id);
      place.innerHTML = html;
      for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    }
    shown = html;
  }, Number(milliseconds));
}
