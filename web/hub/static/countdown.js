/* Counts down to the times that elements name in data-until, and reloads a page whose time has come. */
"use strict";

(() => {
  const GRACE_MILLISECONDS = 4000; // the hub looks at what is due every two seconds

  function tick() {
    for (const until of document.querySelectorAll("[data-until]")) {
      const left = new Date(until.dataset.until) - Date.now();
      const seconds = Math.max(0, Math.ceil(left / 1000));
      until.textContent = `(${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")})`;
      if (left < -GRACE_MILLISECONDS && !document.getElementById("newest")) location.reload();
    }
  }

  setInterval(tick, 1000);
  tick();
})();
