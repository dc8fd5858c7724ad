/* Keeps this device's screen on while it shows the table, and fills it; over https it also has the
   page shown that says when the table is away. Buttons that this browser has no use for stay hidden. */
"use strict";

(() => {
  const KEPT = "screen-awake"; // what this device was told last
  const OVER = "screen-over"; // and whether its page is turned over
  const part = document.getElementById("screen");
  const [awake, full, over] = ["awake", "full", "over"].map((each) => document.getElementById(`screen-${each}`));
  const native = "wakeLock" in navigator;
  // over plain http there is only a video that plays unseen; it stops the device's own music, so it
  // waits to be asked for
  const video = native ? null : new NoSleep();
  let wanted = (localStorage.getItem(KEPT) ?? (native ? "yes" : "no")) === "yes";
  let lock = null;

  async function hold() {
    if (!wanted || document.hidden) return;
    try {
      if (!native) await video.enable();
      else if (!lock || lock.released) lock = await navigator.wakeLock.request("screen");
    } catch {
      return; // the battery is low, or nobody has tapped here yet: the next tap asks again
    }
  }

  function release() {
    if (native) lock?.release();
    else video.disable();
    lock = null;
  }

  awake.addEventListener("click", (event) => {
    event.stopPropagation();
    wanted = !wanted;
    localStorage.setItem(KEPT, wanted ? "yes" : "no");
    awake.setAttribute("aria-pressed", wanted);
    if (wanted) hold();
    else release();
  });

  full.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  });

  /* For those who sit at the other side of the table: upside down, until it is turned back. */
  function turn(is_over) {
    document.documentElement.classList.toggle("turned-over", is_over);
    localStorage.setItem(OVER, is_over ? "yes" : "no");
    over.setAttribute("aria-pressed", is_over);
  }

  over.addEventListener("click", (event) => {
    turn(over.getAttribute("aria-pressed") !== "true");
    event.target.closest("details").open = false;
  });

  document.addEventListener("fullscreenchange", () => {
    full.setAttribute("aria-pressed", Boolean(document.fullscreenElement));
  });
  document.addEventListener("visibilitychange", hold);
  document.addEventListener("click", hold);

  awake.setAttribute("aria-pressed", wanted);
  turn(localStorage.getItem(OVER) === "yes");
  full.hidden = !document.fullscreenEnabled;
  part.hidden = false;
  hold();
  if (part.dataset.worker) navigator.serviceWorker?.register(part.dataset.worker);
})();
