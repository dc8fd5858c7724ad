/* A closer look at what was read: the editor of one piece, and the walk from one that is marked to
   the next. The table's script sends what is tapped, and says when an answer has come (`answered`)
   and when the page shows what came of it (`settled`). */
"use strict";

(() => {
  const live = document.getElementById("live");
  let edited = null; // the piece that the editor is open for
  let asked = null; // the dialog of a marked one that was answered, until the answer is there
  let goesOn = false;

  /* ---- the editor of the pieces: one for all of them ---- */

  live.addEventListener("click", ({ target }) => {
    const piece = target.closest("[data-piece]");
    if (piece) edit(piece.dataset.piece);
  });

  function edit(piece) {
    const editor = document.getElementById("edit-piece");
    if (!editor || !document.getElementById(`piece-${piece}`)) return;
    edited = piece;
    if (editor.matches(":popover-open")) fill(editor);
    else editor.showPopover();
    editor.querySelector("#likely button, .choosing button").focus();
  }

  /* Also when a new state has put a fresh editor in the place of the open one. */
  live.addEventListener(
    "beforetoggle",
    ({ target, newState }) => {
      if (target.id === "edit-piece" && newState === "open") fill(target);
    },
    true,
  );

  function fill(editor) {
    const piece = document.getElementById(`piece-${edited}`);
    if (!piece) return;
    const { readings, crop, corners } = piece.dataset;
    document.getElementById("edited-piece").value = edited;
    document.getElementById("edited-crop").setAttribute("viewBox", crop);
    for (const outline of editor.querySelectorAll(".crop polygon")) outline.setAttribute("points", corners);
    const keys = readings.split(" ").map((label) => {
      const key = label && editor.querySelector(`.choosing button[value="${CSS.escape(label)}"]`);
      return key ? [key.cloneNode(true)] : [];
    });
    document.getElementById("likely").replaceChildren(...keys.flat());
  }

  /* ---- from one that is marked to the next ---- */

  const buttonOf = (dialog) =>
    document.getElementById(dialog.id === "edit-piece" ? `piece-${edited}` : dialog.id.replace("die-", "die-button-"));

  live.addEventListener("submit", ({ submitter }) => {
    const dialog = submitter?.closest("#edit-piece, [id^=die-]");
    asked = dialog && "marked" in (buttonOf(dialog)?.dataset ?? {}) ? dialog.id : null;
  });

  live.addEventListener("answered", ({ detail }) => {
    goesOn = asked !== null && detail.dialog === asked && !detail.refused;
    asked = null;
  });

  live.addEventListener("settled", () => {
    if (!goesOn || live.querySelector(":popover-open")) return;
    goesOn = false;
    const next = live.querySelector("[data-marked]");
    if (next?.dataset.piece) edit(next.dataset.piece);
    else next?.click();
  });
})();
