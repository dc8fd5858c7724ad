/* The corners of a tray or a play area on the picture: tapped, dragged, nudged, taken back.
   The form's numbers are the truth; without this script they can be typed. */
"use strict";

(() => {
  const FEWEST = { tray: 4, area: 3 };
  const STEP = 0.25; // per cent of the picture that an arrow key moves
  const LEAP = 2; // with Shift
  const PATIENCE_MILLISECONDS = 200;
  const ZOOM = 3;
  const SPREAD = [[15, 15], [85, 15], [85, 85], [15, 85]];

  const form = document.getElementById("calibrate");
  if (!form) return;
  const frame = document.getElementById("tap-frame");
  const photo = document.getElementById("tap-photo");
  const loupe = document.getElementById("tap-loupe");
  const shape = document.getElementById("tap-shape");
  const outside = document.getElementById("tap-outside");
  const words = document.getElementById("tap-words");
  const preview = document.getElementById("tap-preview");
  const result = document.getElementById("tap-result");
  const buttons = Object.fromEntries(
    ["undo", "clear", "place", "keep"].map((name) => [name, document.getElementById(`tap-${name}`)]),
  );
  const fields = ["x", "y"].map((name) => [...form.querySelectorAll(`input[name=${name}]`)]);
  const most = { tray: FEWEST.tray, area: fields[0].length };
  const handles = [];
  let corners = read();
  let past = [];
  let held = null; // the handle under a finger
  let due = 0;

  const kind = () => form.elements.kind.value;
  const isEnough = () => corners.length >= FEWEST[kind()];

  function read() {
    const pairs = fields[0].map((field, place) => [field.value, fields[1][place].value]);
    return pairs.filter((pair) => pair.every((value) => value !== "")).map((pair) => pair.map(Number));
  }

  function write() {
    fields.forEach((column, axis) =>
      column.forEach((field, place) => {
        field.value = corners[place] ? corners[place][axis].toFixed(2) : "";
      }),
    );
  }

  /* ---- changing ---- */

  function change(fresh, { remember = true } = {}) {
    if (remember) past.push(corners);
    corners = fresh;
    write();
    show();
  }

  function within(event) {
    const box = frame.getBoundingClientRect();
    const across = (100 * (event.clientX - box.left)) / box.width;
    const down = (100 * (event.clientY - box.top)) / box.height;
    return [across, down].map((share) => Math.min(100, Math.max(0, share)));
  }

  const moved = (place, corner) => corners.map((old, at) => (at === place ? corner : old));

  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const touched = handles.indexOf(event.target.closest(".handle"));
    if (touched < 0 && corners.length >= most[kind()]) return;
    event.preventDefault();
    if (touched < 0) change([...corners, within(event)]);
    else past.push(corners);
    hold(touched < 0 ? corners.length - 1 : touched, event.pointerId);
  });

  function hold(place, pointer) {
    held = place;
    frame.setPointerCapture(pointer);
    handles[place].focus({ preventScroll: true });
    magnify();
  }

  frame.addEventListener("pointermove", (event) => {
    if (held === null) return;
    change(moved(held, within(event)), { remember: false });
    magnify();
  });

  for (const kind of ["pointerup", "pointercancel"]) {
    frame.addEventListener(kind, () => {
      if (held === null) return;
      if (corners === past.at(-1)) past.pop(); // touched, not moved
      held = null;
      loupe.hidden = true;
      show();
    });
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  frame.addEventListener("keydown", (event) => {
    const place = handles.indexOf(event.target);
    const arrow = ARROWS[event.key];
    if (place < 0 || !arrow) return;
    event.preventDefault();
    const length = event.shiftKey ? LEAP : STEP;
    const corner = corners[place].map((share, axis) =>
      Math.min(100, Math.max(0, share + length * arrow[axis])),
    );
    change(moved(place, corner));
  });

  buttons.undo.addEventListener("click", () => {
    corners = past.pop();
    write();
    show();
  });
  buttons.clear.addEventListener("click", () => change([]));
  buttons.place.addEventListener("click", () => {
    change(SPREAD);
    handles[0].focus();
  });
  form.addEventListener("input", (event) => {
    if (event.target.name === "kind") {
      if (corners.length > most[kind()]) change(corners.slice(0, most[kind()]));
      else show();
    }
    if (!event.target.matches("input[type=number]")) return;
    past.push(corners);
    corners = read();
    show();
  });

  /* ---- showing ---- */

  function handle(place) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "handle";
    button.textContent = String(place + 1);
    button.setAttribute("aria-label", form.dataset.corner.replace("#", place + 1));
    frame.append(button);
    return button;
  }

  function around() {
    const [across, down] = [0, 1].map(
      (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length,
    );
    const turn = (corner) => Math.atan2(corner[1] - down, corner[0] - across);
    return [...corners].sort((one, other) => turn(one) - turn(other));
  }

  function show() {
    document.getElementById("first-fault")?.remove();
    while (handles.length < corners.length) handles.push(handle(handles.length));
    while (handles.length > corners.length) handles.pop().remove();
    corners.forEach(([across, down], place) => {
      handles[place].style.left = `${across}%`;
      handles[place].style.top = `${down}%`;
    });
    const points = around().map((corner) => corner.join(",")).join(" ");
    shape.setAttribute("points", points);
    const dims = kind() === "area" && isEnough();
    outside.setAttribute("d", dims ? `M0,0H100V100H0Z M${points}Z` : "");
    frame.classList.toggle("full", corners.length >= most[kind()]);
    buttons.undo.disabled = !past.length;
    buttons.clear.disabled = !corners.length;
    if (buttons.keep) buttons.keep.disabled = !isEnough();
    clearTimeout(due);
    due = setTimeout(judge, PATIENCE_MILLISECONDS);
  }

  /* What lies under the finger, in the upper corner that is farther from it. */
  function magnify() {
    const [across, down] = corners[held].map((share) => share / 100);
    const pen = loupe.getContext("2d");
    const size = loupe.width / ZOOM;
    const scale = photo.naturalWidth / photo.clientWidth;
    pen.fillStyle = "#17231d";
    pen.fillRect(0, 0, loupe.width, loupe.height);
    const left = across * photo.naturalWidth - (size * scale) / 2;
    const top = down * photo.naturalHeight - (size * scale) / 2;
    pen.drawImage(photo, left, top, size * scale, size * scale, 0, 0, loupe.width, loupe.height);
    pen.strokeStyle = "#ffc53d";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(loupe.width / 2, 0);
    pen.lineTo(loupe.width / 2, loupe.height);
    pen.moveTo(0, loupe.height / 2);
    pen.lineTo(loupe.width, loupe.height / 2);
    pen.stroke();
    loupe.classList.toggle("on-right", across < 0.5);
    loupe.hidden = false;
  }

  async function judge() {
    const judged = corners;
    const isArea = kind() === "area";
    if (!isEnough()) {
      preview.hidden = true;
      const count = isArea ? form.dataset.areaCount : form.dataset.count;
      tell(count.replace("#", judged.length), false);
      return;
    }
    const places = judged.flatMap(([x, y]) => [["x", x.toFixed(2)], ["y", y.toFixed(2)]]);
    const query = new URLSearchParams([["kind", kind()], ...places]);
    const { fault } = await (await fetch(`${form.dataset.fault}?${query}`)).json();
    if (judged !== corners || isArea !== (kind() === "area")) return;
    tell(fault ?? "", Boolean(fault));
    preview.hidden = isArea || Boolean(fault);
    if (buttons.keep) buttons.keep.disabled = Boolean(fault);
    if (!preview.hidden) result.src = `${form.dataset.preview}?${query}`;
  }

  function tell(sentence, bad) {
    if (words.textContent !== sentence) words.textContent = sentence;
    words.classList.toggle("fault", bad);
  }

  document.body.classList.add("scripted-page");
  const fault = document.getElementById("first-fault");
  show();
  if (fault) form.insertBefore(fault, words);
})();
