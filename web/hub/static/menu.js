/* A press beside an open menu closes it, and so does Escape, which leads back to its name. */
"use strict";

(() => {
  const open = () => document.querySelector(".menu[open]");
  addEventListener("click", (event) => {
    if (!open()?.contains(event.target)) open()?.removeAttribute("open");
  });
  addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && open();
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
