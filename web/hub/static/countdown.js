/* Counts down to the times that elements name in data-until, and reloads a page whose time has come. */
"use strict";

(() => {
  const live = document.getElementById("newest"); // follows the hub by itself
  const GRACE_MILLISECONDS = 4000; // the hub looks at what is due every two seconds

  function tick() {
    for (const until of document.querySelectorAll("[data-until]")) {
      const left = new Date(until.dataset.until) - Date.now();
      const seconds = Math.max(0, Math.ceil(left / 1000));
      until.textContent = `(${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")})`;
      if (left < -GRACE_MILLISECONDS && !live) location.reload();
    }
  }

  if (live) new MutationObserver((changes) => changes.some((one) => one.target === live) && tick()).observe(live, { childList: true });
  setInterval(tick, 1000);
  tick();
})();
