/* The demo plays itself where nobody touches this page: after a while it presses what the server
   names, and any touch ends that. */
"use strict";

(() => {
  const IDLE_MILLISECONDS = 15000;
  const PACE_MILLISECONDS = 3500; // from what is shown to the press: time to read it
  const FINALE_MILLISECONDS = 12000;
  const LOOK_MILLISECONDS = 1500; // at a die that is corrected
  const STEP_MILLISECONDS = 250;
  const page = document.body.classList;
  let touched = performance.now();
  let shown = ""; // what is to be pressed
  let since = 0; // and from when on

  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(kind, (event) => {
      if (!event.isTrusted) return;
      touched = performance.now();
      page.remove("watching");
    }, { capture: true, passive: true });
  }

  setInterval(() => {
    const line = document.getElementById("demo");
    const now = performance.now();
    if (line?.outerHTML !== shown) [shown, since] = [line?.outerHTML, now];
    const button = line?.dataset.press && document.querySelector(line.dataset.press);
    const pace = button?.id === "demo-again" ? FINALE_MILLISECONDS : PACE_MILLISECONDS;
    if (!button || document.hidden || now < Math.max(touched + IDLE_MILLISECONDS, since + pace)) return;
    page.add("watching");
    const over = button.closest("[popover]");
    const opens = over && !over.matches(":popover-open");
    since = opens ? now - PACE_MILLISECONDS + LOOK_MILLISECONDS : now;
    if (opens) over.showPopover();
    else button.click();
  }, STEP_MILLISECONDS);
})();
