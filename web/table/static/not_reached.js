/* Comes back to the table as soon as it answers again. */
"use strict";

(() => {
  const RETRY_MILLISECONDS = 3000;
  const { page, table } = document.body.dataset;

  async function retry() {
    try {
      await fetch(page, { method: "HEAD" }); // a method that no service worker answers
    } catch {
      return; // still away
    }
    if (location.pathname === page) location.replace(table);
    else location.reload();
  }

  setInterval(retry, RETRY_MILLISECONDS);
})();
