/* Sends a form once, however often its button is pressed. The hub bears a second press, too. A
   photo that is taken needs no press. */
"use strict";

(() => {
  document.body.classList.add("scripted-page");
  addEventListener("submit", (event) => {
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "yes";
  });
  addEventListener("change", (event) => {
    if (event.target.matches(".sends")) event.target.form.requestSubmit();
  });
  addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
})();
