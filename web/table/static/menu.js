/* Escape closes the menu, whatever in it was used last, and the keys go on from where it is. */
"use strict";

addEventListener("keydown", (event) => {
  const menu = document.querySelector(".top .menu[open]");
  if (event.key !== "Escape" || !menu) return;
  event.preventDefault();
  menu.open = false;
  menu.querySelector("summary").focus();
});
