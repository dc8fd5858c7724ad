// Escape closes the photo: back to the sheet that it was opened from.
"use strict";

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) document.getElementById("back-to-sheet").click();
});
