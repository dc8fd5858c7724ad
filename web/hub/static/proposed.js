/* Players of a proposed draw are dragged onto each other, a table or the byes.
   The page works without this script: choose players, then press a button. */
"use strict";

(() => {
  const FAR_PIXELS = 8; // less is a tap

  const form = document.getElementById("change");
  let seat = null;
  let from = null;
  let ghost = null;

  const target = (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const other = under?.closest("[data-entrant]");
    return other && other !== seat ? other : under?.closest("[data-table]");
  };

  function mark(place) {
    document.querySelector(".drop-here")?.classList.remove("drop-here");
    place?.classList.add("drop-here");
  }

  function stop() {
    ghost?.remove();
    seat?.classList.remove("dragged");
    seat = from = ghost = null;
    mark(null);
  }

  function drop(place) {
    if (!place || place === seat.closest("[data-table]")) return;
    for (const each of document.querySelectorAll('[name="chosen"]')) {
      each.checked = [seat, place].includes(each.closest("[data-entrant]"));
    }
    const table = place.dataset.table;
    if (table > 0) form.elements.table.value = table;
    const act = table === undefined ? "swap" : table > 0 ? "move" : "bye";
    form.requestSubmit(form.querySelector(`[value="${act}"]`));
  }

  addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    if (event.pointerType === "touch" && !event.target.closest(".grip")) return; // it scrolls
    seat = event.target.closest(".seat");
    from = seat && event;
  });
  addEventListener("pointermove", (event) => {
    if (!seat || !event.isPrimary) return;
    if (!ghost && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < FAR_PIXELS) return;
    if (!ghost) {
      ghost = seat.cloneNode(true);
      ghost.className = "drag-ghost";
      ghost.inert = true;
      document.body.append(ghost);
      seat.classList.add("dragged");
    }
    ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    mark(target(event));
  });
  addEventListener("pointerup", (event) => {
    if (ghost) {
      addEventListener("click", (click) => click.preventDefault(), { once: true, capture: true });
      drop(target(event));
    }
    stop();
  });
  addEventListener("pointercancel", stop);
  addEventListener("keydown", (event) => event.key === "Escape" && stop());
})();
