/* The list of results by keyboard: Enter saves a row and goes to the next open one, arrows move between
   the fields. A row that the hub refuses comes back into its place, as it was typed, and says why.
   The page works without this script too: then each row leads back to the list. */
"use strict";

(() => {
  const unsaved = document.getElementById("unsaved");
  const rows = () => [...document.querySelectorAll(".result-row")];
  const fields = (row) => [...row.querySelectorAll(".result-field input")];
  const isTouched = (row) => row.matches(".unsaved") || [...row.querySelectorAll("input")].some((one) => one.value !== one.defaultValue);

  function enter(field) {
    field?.focus();
    field?.select?.();
  }

  /* Where to go on in a row: what is wrong, what is asked, or what is empty. */
  function place(row) {
    const wrong = row.querySelector('[aria-invalid="true"], [name="confirmed"]');
    return wrong ?? fields(row).find((field) => field.value === "") ?? fields(row)[0];
  }

  function next(row) {
    const all = rows();
    const later = [...all.slice(all.indexOf(row) + 1), ...all.slice(0, all.indexOf(row))];
    return later.find((one) => one.matches(":has([data-open]):not(.sending), .unsaved"));
  }

  /* The row as the hub has it now; what was typed since it was sent stays in its fields. */
  function exchange(row, sent, answer) {
    const fresh = answer.getElementById(row.id);
    const typed = [...row.querySelectorAll("input:not([type=hidden])")];
    const since = typed.filter((field) => field.value !== sent.get(field.name));
    const had = row.contains(document.activeElement) ? document.activeElement.id : null;
    row.replaceWith(fresh);
    for (const { id, value } of since) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    const list = fresh.closest("details");
    const sign = answer.querySelector(`[id="${list.querySelector("[id^=sign-]").id}"]`);
    if (sign) list.querySelector("[id^=sign-]").replaceWith(sign);
    return [fresh, had];
  }

  async function send(form, submitter) {
    const row = form.closest(".result-row");
    const sent = new FormData(form, submitter);
    sent.set("then", "row");
    row.classList.add("sending");
    const ahead = next(row);
    if (ahead) enter(place(ahead));
    try {
      const body = new URLSearchParams(sent);
      const reply = await fetch(form.action, { method: "POST", body, keepalive: true });
      const answer = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (!answer.getElementById(row.id)) throw new Error(reply.status);
      unsaved.hidden = true;
      const [fresh, had] = exchange(row, sent, answer);
      const refused = !reply.ok;
      const idle = !ahead || (document.activeElement?.closest(".result-row") === ahead && !isTouched(ahead));
      if (had !== null || (refused && idle)) enter(refused || !next(fresh) ? place(fresh) : document.getElementById(had));
    } catch {
      row.classList.add("problem", "unsaved");
      unsaved.hidden = false;
    } finally {
      row.classList.remove("sending");
    }
  }

  const first = document.querySelector(".result-row:has([data-open])");
  const forReferee = document.querySelector(".card.problem"); // stands above the list: it is read first
  if (first && !forReferee) enter(place(first));

  document.addEventListener("submit", (event) => {
    const row = event.target.closest(".result-row");
    if (!row) return;
    event.preventDefault();
    event.stopPropagation(); // a row is sent again where it failed
    const empty = row.querySelector("[data-open]") && fields(row).every((field) => field.value === "");
    if (row.matches(".sending")) return;
    if (empty || !isTouched(row)) enter(row.querySelector('[name="why"]') ?? place(next(row) ?? row));
    else send(event.target, event.submitter);
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.(".result-field input");
    if (!field || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const row = field.closest(".result-row");
    const all = rows();
    const column = fields(row).indexOf(field);
    const { selectionStart: start, selectionEnd: end, value } = field;
    const whole = start === 0 && end === value.length;
    const beside = { ArrowLeft: start === 0 && (whole || end === 0) ? -1 : 0, ArrowRight: end === value.length && (whole || start === end) ? 1 : 0 };
    const below = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    let to = null;
    if (below) {
      const there = all[all.indexOf(row) + below];
      to = there && (fields(there)[column] ?? fields(there).at(-1));
    } else if (beside[event.key]) to = fields(row)[column + beside[event.key]];
    if (!to) return;
    event.preventDefault();
    enter(to);
  });

  addEventListener("focusin", (event) => event.target.matches?.(".result-field input") && event.target.select());
  addEventListener("beforeunload", (event) => {
    if (rows().some((row) => isTouched(row) || row.matches(".sending"))) event.preventDefault();
  });
})();
