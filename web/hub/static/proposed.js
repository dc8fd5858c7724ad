/* Lets the players of a proposed draw be dragged onto each other, a table or the byes, and follows its
   publishing. The page works without this script: choose players, then press a button. */
"use strict";

(() => {
  const FAR_PIXELS = 8; // less is a tap
  const GRACE_MILLISECONDS = 4000; // the hub looks at what is due every two seconds

  const form = document.getElementById("change");
  const until = document.querySelector("[data-until]");
  let seat = null;
  let from = null; // where the pointer went down
  let place = null; // what the seat is over: another seat, or a table

  let dropped = false; // then a click is only the end of a drag

  function release() {
    seat?.classList.remove("dragged");
    seat?.style.removeProperty("translate");
    place?.classList.remove("drop-here");
    seat = place = null;
  }

  function drop() {
    for (const each of document.querySelectorAll('[name="chosen"]')) {
      each.checked = [seat, place].includes(each.closest("[data-entrant]"));
    }
    const table = place.dataset.table;
    if (table > 0) form.elements.table.value = table;
    const act = table === undefined ? "swap" : table > 0 ? "move" : "bye";
    form.requestSubmit(form.querySelector(`[value="${act}"]`));
  }

  addEventListener("pointerdown", (event) => {
    if (!form || !event.isPrimary || event.button !== 0) return;
    if (event.pointerType === "touch" && !event.target.closest(".grip")) return; // it scrolls
    seat = event.target.closest(".seat");
    from = event;
    dropped = false;
  });
  addEventListener("pointermove", (event) => {
    if (!seat || !event.isPrimary) return;
    const [right, down] = [event.pageX - from.pageX, event.pageY - from.pageY];
    if (Math.hypot(right, down) < FAR_PIXELS && !seat.matches(".dragged")) return;
    seat.classList.add("dragged");
    seat.style.translate = `${right}px ${down}px`;
    place?.classList.remove("drop-here");
    const under = document.elementFromPoint(event.clientX, event.clientY);
    place = under?.closest("[data-entrant]") ?? under?.closest("[data-table]");
    place?.classList.add("drop-here");
  });
  addEventListener("pointerup", () => {
    if (seat?.matches(".dragged")) {
      dropped = true;
      if (place && place !== seat.closest("[data-table]")) drop();
    }
    release();
  });
  addEventListener("pointercancel", release);
  addEventListener("click", (event) => dropped && event.preventDefault(), { capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && release());

  if (until) {
    const due = new Date(until.dataset.until) - Date.now() + GRACE_MILLISECONDS;
    setTimeout(() => location.reload(), Math.max(due, GRACE_MILLISECONDS));
  }
})();
