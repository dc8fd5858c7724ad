// A chosen photo is sent at once.
"use strict";

document.body.classList.add("scripted-page");
for (const photo of document.querySelectorAll(".upload input")) {
  photo.addEventListener("change", () => photo.form.requestSubmit());
}
