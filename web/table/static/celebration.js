/* Confetti for what has just succeeded: once, for less than three seconds, in front of the page without
   taking a tap, and blended so that nothing written is hidden. */
"use strict";

(() => {
  const LONGEST_MILLISECONDS = 2800;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  document.getElementById("live").addEventListener("told", ({ detail }) => {
    if (!detail || calm.matches || document.hidden) return;
    const canvas = document.createElement("canvas");
    canvas.className = "confetti";
    canvas.setAttribute("aria-hidden", "true");
    document.body.append(canvas);
    // the content policy lets no script run that is made on the page, as its worker would be
    const fire = confetti.create(canvas, { resize: true, useWorker: false });
    const scalar = Math.max(1, innerWidth / 1000); // a television is looked at from afar
    for (const [x, angle] of [[0, 60], [1, 120]]) {
      const way = { angle, spread: 65, startVelocity: 55 * scalar, ticks: 150, origin: { x, y: 0.8 } };
      fire({ particleCount: 90, scalar, ...way });
    }
    setTimeout(() => {
      fire.reset();
      canvas.remove();
    }, LONGEST_MILLISECONDS);
  });
})();
