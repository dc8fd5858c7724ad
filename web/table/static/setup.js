/* Lets players be moved by dragging and by keys, and every other change of the set-up come without
   a reload. The page works without this script too: each button sends the form. */
"use strict";

(() => {
  const form = document.getElementById("setup");
  let queue = Promise.resolve();

  document.body.classList.add("scripted-page");
  // on a phone the games are a row to be pushed: what is chosen is in it from the start
  const [row, chosen] = [".game-cards", ".game-card.chosen"].map((it) => form.querySelector(it));
  if (chosen) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - row.clientWidth / 3;

  /* ---- what the server draws ---- */

  const fields = () => [...form.querySelectorAll("input[id]")];
  const content = (field) => (field.type === "radio" ? field.checked : field.value);

  function fill(field, fresh) {
    if (fresh.type === "radio") field.checked = fresh.checked;
    else field.value = fresh.value;
  }

  /* The tree as the server draws it, with the nodes that are there: a finger, the focus, a folded
     part and the place on the page stay where they are. */
  function become(old, fresh) {
    if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
    after.forEach((child, at) => (before[at] ? become(before[at], child) : old.append(child)));
    before.slice(after.length).forEach((child) => child.remove());
  }

  async function change(what) {
    const body = new URLSearchParams(new FormData(form));
    body.set("do", what);
    const sent = new Map(fields().map((field) => [field.id, content(field)]));
    const answer = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("setup");
    if (!answer.ok || !fresh) throw new Error(`The set-up was answered ${answer.status}.`);
    const drawn = [...fresh.querySelectorAll("input[id]")].map((field) => [field.id, field.cloneNode()]);
    const focused = document.activeElement?.id;
    become(form, fresh);
    // what was typed meanwhile is newer than the answer
    for (const [id, field] of drawn) {
      const shown = document.getElementById(id);
      if (!sent.has(id) || sent.get(id) === content(shown)) fill(shown, field);
    }
    const added = form.querySelector("[autofocus]");
    if (what === "add" && added) added.focus();
    else if (focused && document.activeElement?.id !== focused) {
      const last = rows().length;
      const left = document.getElementById(focused.replace(/\d+$/, last));
      (left ?? document.getElementById("begin")).focus({ preventScroll: true });
    }
  }

  /* One after the other: each begins with what the one before it made of the form. */
  function ask(what) {
    queue = queue.then(() => change(what)).catch(() => {
      const act = document.createElement("input");
      Object.assign(act, { type: "hidden", name: "do", value: what });
      form.append(act);
      form.submit(); // the browser shows what is wrong with the connection
    });
  }

  form.addEventListener("submit", (event) => {
    const what = event.submitter?.value;
    if (!what || what === "begin") return;
    event.preventDefault();
    const [act, seat] = what.split(":");
    if (act === "up") move(Number(seat), Number(seat) - 1, "up");
    else if (act === "down") move(Number(seat), Number(seat) + 1, "down");
    else ask(what);
  });

  form.addEventListener("change", (event) => {
    if (event.target.closest("#house-rules")) ask("rules"); // so that their heading names them
  });

  /* ---- the seats ---- */

  const rows = () => [...form.querySelectorAll(".seat-row")];
  const nameOf = (row) => row.querySelector("input");

  /* Names change places; their seats, with colour and number, stay. */
  function move(from, to, part) {
    const seats = rows();
    if (!seats[from] || !seats[to]) return;
    const names = seats.map((row) => nameOf(row).value);
    names.splice(to, 0, ...names.splice(from, 1));
    seats.forEach((row, seat) => (nameOf(row).value = names[seat]));
    showInitials();
    const parts = [`${part}-${to + 1}`, `up-${to + 1}`, `down-${to + 1}`, `grip-${to + 1}`];
    const fits = (each) => each && !each.disabled && each.offsetParent;
    parts.map((id) => document.getElementById(id)).find(fits)?.focus({ preventScroll: part === "grip" });
    const words = form.querySelector(".seats").dataset.moved;
    const player = names[to].trim() || nameOf(seats[to]).placeholder;
    document.getElementById("moved").textContent = words
      .replace("{number}", to + 1)
      .replace("{player}", () => player);
  }

  function showInitials() {
    const seated = new Set();
    rows().forEach((row, seat) => {
      const name = nameOf(row).value.trim();
      seated.add(name);
      const initial = [...name][0]?.toUpperCase() ?? String(seat + 1);
      const mark = form.querySelector(`[data-player="${CSS.escape(name)}"] .mark`);
      for (const shown of row.querySelectorAll(".seat-colour")) {
        shown.replaceChildren(mark ? mark.cloneNode(true) : initial);
      }
    });
    for (const chip of form.querySelectorAll("[data-player]")) {
      chip.setAttribute("aria-pressed", String(seated.has(chip.dataset.player)));
    }
  }

  form.addEventListener("input", (event) => {
    if (event.target.closest(".seat-row")) showInitials();
  });

  form.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = event.target.closest(".grip")?.closest(".seat-row");
    if (!step || !row) return;
    event.preventDefault();
    const seat = rows().indexOf(row);
    move(seat, seat + step, "grip");
  });

  /* ---- dragging: the row follows the finger, and the others make room ---- */

  form.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0) return;
    const seats = rows();
    const from = seats.indexOf(grip.closest(".seat-row"));
    const middles = seats.map((row) => row.offsetTop + row.offsetHeight / 2);
    const height = seats.length > 1 ? middles[1] - middles[0] : 0;
    const start = event.pageY;
    const list = grip.closest(".seats");
    let to = from;
    grip.setPointerCapture(event.pointerId);
    list.classList.add("dragging");
    seats[from].classList.add("dragged");

    const follow = (moved) => {
      const by = moved.pageY - start;
      const at = middles[from] + by;
      const distances = middles.map((middle) => Math.abs(middle - at));
      to = distances.indexOf(Math.min(...distances));
      seats.forEach((row, seat) => {
        const away = (seat > from && seat <= to ? -height : 0) + (seat < from && seat >= to ? height : 0);
        row.style.transform = `translateY(${seat === from ? by : away}px)`;
      });
    };
    const end = (ended) => {
      grip.removeEventListener("pointermove", follow);
      for (const name of ENDS) grip.removeEventListener(name, end);
      list.classList.remove("dragging");
      seats[from].classList.remove("dragged");
      for (const row of seats) row.style.transform = "";
      if (ended.type === "pointerup" && to !== from) move(from, to, "grip");
    };
    grip.addEventListener("pointermove", follow);
    for (const name of ENDS) grip.addEventListener(name, end);
  });

  const ENDS = ["pointerup", "pointercancel", "lostpointercapture"];
})();
