/* The camera's page: a picture four times a second, and settings that take effect as they are moved.
   Without this script the page is saved and loaded. */
"use strict";

(() => {
  const PICTURE_MILLISECONDS = 250;
  const picture = document.getElementById("camera-now");
  const form = document.getElementById("camera-settings");

  const now = picture?.getAttribute("src");
  setInterval(() => {
    if (picture?.complete && !document.hidden) picture.src = `${now}?at=${Date.now()}`;
  }, PICTURE_MILLISECONDS);

  form?.addEventListener("input", ({ target }) => {
    if (target.type !== "range") return;
    form.elements[`${target.name}-auto`].checked = false;
    target.nextElementSibling.value = target.value;
  });
  const save = async () => {
    if (!form.checkValidity()) return;
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
    const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
    const fault = page.querySelector("#camera-settings [role=alert]");
    document.getElementById("camera-saved").textContent = fault?.textContent.trim() ?? (answer?.ok ? form.dataset.saved : "");
  };
  let saving = Promise.resolve(); // one after the other: otherwise an older position might come last
  form?.addEventListener("change", () => { saving = saving.then(save); });
})();
