// Dice that are too small to be judged in their photo are shown alone, each as large as there is room.
"use strict";

(() => {
  const LEAST = { phone: 44, screen: 64 }; // pixels of a die

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.classList.remove("apart");
      const sides = [...target.querySelectorAll(":scope > .boxes .box")].flatMap((box) => {
        const { width, height } = box.getBoundingClientRect();
        return [width, height];
      });
      const least = matchMedia("(max-width: 560px)").matches ? LEAST.phone : LEAST.screen;
      target.classList.toggle("apart", Math.min(...sides) < least);
    }
  });

  function measure() {
    sizes.disconnect();
    for (const dice of document.querySelectorAll(".frame > .alone")) sizes.observe(dice.parentElement);
  }

  document.getElementById("live")?.addEventListener("settled", measure);
  measure();
})();
