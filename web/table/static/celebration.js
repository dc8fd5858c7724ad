/* Confetti for what has just succeeded: once, for less than three seconds, in front of the page without
   taking a tap, and blended so that nothing written is hidden. Whatever has data-celebrate and
   data-once, the name of the one event, is celebrated as it comes; not what stands there at first. */
"use strict";

(() => {
  const LONGEST_MILLISECONDS = 2800;
  const live = document.getElementById("live");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const known = new Set(events());

  function events() {
    const marked = [...live.querySelectorAll('[data-celebrate]:not([data-celebrate=""])')];
    return marked.map(({ dataset }) => `${dataset.celebrate} ${dataset.once}`);
  }

  live.addEventListener("settled", () => {
    const fresh = events().filter((event) => !known.has(event));
    for (const event of fresh) known.add(event);
    if (fresh.length && !calm.matches && !document.hidden) celebrate();
  });

  function celebrate() {
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
  }
})();
