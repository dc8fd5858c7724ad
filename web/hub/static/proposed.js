/* Lets the players of a draw be dragged or moved by arrow keys onto each other, a table or the byes, and
   follows its publishing. The page works without this script: choose players, then press a button. */
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

  const KEPT = `board ${form?.action}`; // where the page was, and why, until it is drawn again
  const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
  const why = document.getElementById("why");
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  let asked = null; // the button to press once there is a reason

  const boxes = () => [...document.querySelectorAll('[name="chosen"]')];

  function press(act) {
    asked = form.querySelector(`[value="${act}"]`);
    form.requestSubmit(asked);
  }

  /* All chosen ones move together; onto another player a single one is swapped. */
  function drop(moved, onto) {
    const box = moved.querySelector("input");
    const together = box.checked && boxes().filter((each) => each.checked).length > 1;
    const swaps = onto.dataset.table === undefined && !together;
    if (!together) for (const each of boxes()) each.checked = each === box;
    if (swaps) onto.querySelector("input").checked = true;
    else form.elements.to.value = onto.closest("[data-table]").dataset.table;
    press(swaps ? "swap" : "move");
  }

  if (form) {
    addEventListener("submit", (event) => {
      if (event.target !== form) return;
      const entrant = boxes().find((each) => each.checked)?.value;
      sessionStorage.setItem(KEPT, JSON.stringify({ entrant, why: why.value, top: scrollY }));
    });
    why.addEventListener("change", () => asked && why.value && form.requestSubmit(asked));
    addEventListener("keydown", (event) => {
      const own = event.target.closest(".seat");
      if (!own || !STEPS[event.key]) return;
      event.preventDefault();
      const places = [...document.querySelectorAll("[data-table]")];
      const from = own.closest("[data-table]");
      const onto = places[places.indexOf(from) + STEPS[event.key]];
      const seats = [...(onto?.querySelectorAll(".seat") ?? [])];
      const full = onto?.dataset.table > 0 && seats.length >= form.dataset.most; // then it is a swap
      if (onto) drop(own, full ? seats[[...from.querySelectorAll(".seat")].indexOf(own)] : onto);
    });
    sessionStorage.removeItem(KEPT);
    why.value ||= kept.why ?? "";
    boxes().find((each) => each.value === kept.entrant)?.focus({ preventScroll: true });
    if (kept.top) scrollTo(0, kept.top);
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
      if (place && place !== seat.closest("[data-table]")) drop(seat, place);
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
