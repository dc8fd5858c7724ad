/* Keeps the table page at the newest state and sends its forms without leaving it.
   The page works without this script too; nothing is decided here. */
"use strict";

(() => {
  const QUIET_MILLISECONDS = 7000; // three heartbeats of the server
  const RETRY_MILLISECONDS = 1000;
  const RETRY_WHEN_FULL_MILLISECONDS = 10000;
  const UNSEEN_MILLISECONDS = 10000; // a tab that nobody sees gives its place away
  const PICTURE_MILLISECONDS = 500;
  const SAID_MILLISECONDS = 9000;
  const REACTION_MILLISECONDS = 300; // nobody acts on what has been shown for less
  const CLOCK_MILLISECONDS = 200;
  const URGENT_SECONDS = 10;
  const LONGEST_TOUCH_MILLISECONDS = 1000;
  const CLICK_MILLISECONDS = 30; // the click follows the lifting of the finger
  // a browser shows a picture that it has once more where the address is the same: each has its own
  const VERSIONS = /(?<=name="seen" value=")[^"]*|(?<=\.jpg\?at=)\d+/g;

  const live = document.getElementById("live");
  const banners = { lost: document.getElementById("lost"), full: document.getElementById("full") };
  const said = document.getElementById("said");
  let pointedAt = null; // the step of the game, and the box that was brought to the middle
  const drawn = new Map(); // region id -> its HTML as the server drew it, but for the version
  let stream = null;
  let watchdog = 0;
  let retry = 0;
  let rest = 0;
  let hush = 0;
  let shown = []; // what was shown from when on, oldest first
  let queue = Promise.resolve();
  const sending = new Set();
  let ahead = Number(live.dataset.now) - Date.now(); // the table's clock before this device's
  let stopwatch = Number(live.dataset.stopwatch) - performance.now(); // as well, by stopwatches
  let leftBefore = Infinity;
  let newest = null; // the state shown last
  let touched = 0; // the timer of the touch that lasts
  let waiting = null; // the newest state that came during it
  let held = 0; // the timer of KEEP where one button is enough
  let done = null; // what was seen after the own act that was done last
  let doneAct = null; // and that act
  let broken = { until: 0, words: "" }; // a card was not played: what was tapped before that was seen follows it

  const table = () => live.querySelector("main");
  const columnsOf = (main) => [...main.querySelectorAll("[data-column]")];
  const regionsOf = (part) => [...part.querySelectorAll("[data-region]")];
  const fingerprint = (region) => region.outerHTML.replace(VERSIONS, "");

  /* ---- showing a state ---- */

  function remember(main) {
    drawn.clear();
    for (const region of regionsOf(main)) drawn.set(region.id, fingerprint(region));
  }

  /* A button that is replaced between a finger's touch and its lifting takes no tap: what comes
     meanwhile waits, if not for long. */
  function show(state) {
    if (!touched) return showNow(state);
    if (!waiting || state.run !== waiting.run || state.version >= waiting.version) waiting = state;
  }

  function release() {
    touched = 0;
    const late = waiting;
    waiting = null;
    if (late) showNow(late);
  }

  function touch(milliseconds) {
    clearTimeout(touched);
    touched = setTimeout(release, milliseconds);
  }

  document.addEventListener("pointerdown", () => touch(LONGEST_TOUCH_MILLISECONDS), true);
  for (const lifted of ["pointerup", "pointercancel"]) {
    document.addEventListener(lifted, () => touch(CLICK_MILLISECONDS), true);
  }

  function showNow(state) {
    const main = table();
    if (state.now) ahead = state.now - Date.now();
    if (state.stopwatch) stopwatch = state.stopwatch - performance.now();
    const older = state.run === main.dataset.run && state.version < Number(main.dataset.version);
    if (older) return live.dispatchEvent(new Event("settled"));
    newest = state;
    const template = document.createElement("template");
    template.innerHTML = state.html;
    const fresh = template.content.querySelector("main");
    const focused = document.activeElement?.id;
    const open = live.querySelector(":popover-open");
    const prints = regionsOf(fresh).map((region) => [region.id, fingerprint(region)]);
    const columns = columnsOf(fresh);
    const before = picture();
    const ends = fresh.matches(".stage-finished") && !main.matches(".stage-finished");
    // first of all, because what a person writes belongs to a step of the game
    for (const { name, value } of fresh.attributes) main.setAttribute(name, value);
    columnsOf(main).forEach((column, index) => swapRegions(column, columns[index], new Map(prints)));
    drawn.clear();
    for (const [id, print] of prints) drawn.set(id, print);
    for (const seen of main.querySelectorAll("input[name=seen]")) {
      seen.value = `${state.run}.${state.version}`;
    }
    note(state.run, state.version);
    reopen(open);
    if (focused && document.activeElement?.id !== focused) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
    markMissingPictures();
    followTurn();
    showPointed();
    if (ends) scrollTo(0, 0); // to who has won, from the box below that was scored last
    tellTime();
    move(before);
    live.dispatchEvent(new Event("settled"));
  }

  /* ---- motion: points fly from the dice into their box, the turn slides in ---- */

  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  /* What the next state is compared with. */
  function picture() {
    const filled = [...live.querySelectorAll("tr.box .points")];
    return {
      player: live.querySelector(".at-turn .name")?.textContent,
      boxes: new Map(filled.map((points) => [boxOf(points), points])),
      dice: document.getElementById("dice")?.getBoundingClientRect(),
    };
  }

  const boxOf = (points) => `${points.closest("tr").className} ${points.closest("td").cellIndex}`;

  function move(before) {
    if (calm.matches) return;
    const now = picture();
    const filled = [...now.boxes].filter(([box]) => !before.boxes.has(box));
    if (filled.length === 1 && before.dice?.width) fly(filled[0][1], before.dice);
    if (now.player && now.player !== before.player) {
      const slide = [{ transform: "translateX(30%)", opacity: 0 }, { transform: "none", opacity: 1 }];
      document.getElementById("turn").animate(slide, { duration: 250, easing: "ease-out" });
    }
  }

  function fly(points, dice) {
    const box = points.getBoundingClientRect();
    const flying = points.cloneNode(true);
    flying.className = "flying";
    flying.setAttribute("aria-hidden", "true");
    document.documentElement.append(flying); // the body may be turned over
    const at = (x, y, size) => ({ transform: `translate(${x}px, ${y}px) scale(${size})` });
    const way = [at(dice.left + dice.width / 2, dice.top + dice.height / 2, 3), at(box.left, box.top, 1)];
    const flight = flying.animate(way, { duration: 450, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" });
    flight.finished.finally(() => flying.remove());
  }

  /* On a sheet or a strip that is wider than the screen: whose turn it is stays in sight. */
  function followTurn() {
    const player = live.querySelector(".player.at-turn");
    if (player) player.parentElement.scrollLeft = player.offsetLeft - player.parentElement.offsetLeft;
    for (const pane of live.querySelectorAll(".pane-view")) {
      const column = pane.querySelector("th[aria-current]");
      const label = pane.querySelector("tbody th");
      if (!column || pane.scrollWidth <= pane.clientWidth) continue;
      const left = column.offsetLeft - label.offsetWidth;
      const right = column.offsetLeft + column.offsetWidth - pane.clientWidth;
      if (pane.scrollLeft > left || pane.scrollLeft < right) pane.scrollLeft = left;
    }
  }

  /* The box that the two buttons point at comes to the middle if it is out of sight, once for each. */
  function showPointed() {
    const box = live.querySelector(".stage-choosing .pointed .offer");
    const place = box && `${table().dataset.step} ${box.value}`;
    if (place && place !== pointedAt && !isInSight(box)) {
      box.scrollIntoView({ block: "center", inline: "nearest" });
    }
    pointedAt = place;
  }

  /* Whether nothing lies over the middle of it: the strip of scores, the buttons, the edge. */
  function isInSight(box) {
    const { left, top, width, height } = box.getBoundingClientRect();
    return box.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  }

  function note(run, version) {
    const fresh = { run, seen: `${run}.${version}`, since: performance.now(), bursts: bursts() };
    if (shown.at(-1)?.run !== run) {
      shown = [{ ...fresh, since: -Infinity }];
    } else {
      const known = shown.findLastIndex((state) => isKnown(state, fresh.since));
      shown = [...shown.slice(Math.max(known, 0)), fresh];
    }
  }

  /* What may be tapped in quick succession: cards to play, and UNDO. */
  const bursts = () => new Set([...live.querySelectorAll("[data-burst]")].map((each) => each.value));

  const isKnown = (state, now) => state.since <= now - REACTION_MILLISECONDS;

  /* What a tap at this moment can have been aimed at. */
  function aimedAt() {
    const now = performance.now();
    return shown.findLast((state) => isKnown(state, now)) ?? shown[0];
  }

  /* What a form is about: a written one the step of the game in which it was opened. */
  function seenBy(form) {
    const dialog = fieldOf(form) && form.closest(".sheet-over");
    if (!dialog) return aimedAt().seen;
    return isOfThisStep(dialog) ? shown.at(-1).seen : dialog.dataset.seen;
  }

  function swapRegions(column, fresh, prints) {
    const wanted = regionsOf(fresh);
    const ids = new Set(wanted.map((region) => region.id));
    for (const region of regionsOf(column)) {
      if (ids.has(region.id)) continue;
      if (writtenIn(region).length) refill(region, document.createElement("section"));
      else region.remove();
    }
    let place = column.firstElementChild;
    for (const region of wanted) {
      const old = document.getElementById(region.id);
      if (old?.parentElement !== column) {
        old?.remove(); // it stood in another column
        column.insertBefore(region, place);
        continue;
      }
      place = old.nextElementSibling;
      if (drawn.get(region.id) !== prints.get(region.id)) refill(old, region);
    }
  }

  /* The element stays: only then do screen readers speak what is new in it. */
  function refill(old, region) {
    const unfolded = [...old.querySelectorAll("details[open]")].map((details) => details.id);
    for (const { name, value } of region.attributes) old.setAttribute(name, value);
    const kept = writtenIn(old);
    for (const child of [...old.childNodes]) if (!kept.includes(child)) child.remove();
    let place = old.firstChild;
    for (const child of [...region.childNodes]) {
      const same = kept.find((dialog) => dialog.id === child.id);
      if (same) seenBeside(same, child);
      if (same) place = same.nextSibling;
      else old.insertBefore(child, place);
    }
    for (const dialog of kept) dialog.dataset.behind = "";
    for (const details of old.querySelectorAll("details")) {
      details.open ||= unfolded.includes(details.id);
    }
  }

  function reopen(open) {
    if (!open || open.isConnected) return;
    const again = document.getElementById(open.id);
    // only over the same reading: else a tap would name another die
    if (again?.popover && again.dataset.over === open.dataset.over) again.showPopover();
  }

  /* ---- what a person is writing ---- */

  const fieldOf = (part) => part.querySelector(".field");

  /* The dialogs of a region that a person writes in, or wrote in during this step of the game:
     they are left as they are, whatever happens meanwhile. */
  function writtenIn(region) {
    return [...region.children].filter((dialog) => {
      const field = fieldOf(dialog);
      if (!field || !dialog.popover) return false;
      const changed = field.value !== field.defaultValue;
      return dialog.matches(":popover-open") || (changed && isOfThisStep(dialog));
    });
  }

  const isOfThisStep = (dialog) => dialog.dataset.step === table().dataset.step;

  /* What a person writes from now on is about what is shown now. */
  function opened(dialog) {
    dialog.dataset.step = table().dataset.step;
    dialog.dataset.seen = shown.at(-1).seen;
  }

  /* What the camera sees meanwhile waits beside the field; the clock goes on. */
  function seenBeside(dialog, fresh) {
    const clock = fresh.querySelector(".clock");
    if (clock) dialog.querySelector(".clock")?.replaceWith(clock);
    const beside = fresh.querySelector(".camera-sees");
    if (!beside) return;
    const before = dialog.querySelector(".camera-sees");
    const known = beside.dataset.reading === before.dataset.reading;
    beside.hidden = !beside.dataset.reading || (known && before.hidden);
    before.replaceWith(beside);
  }

  live.addEventListener(
    "toggle",
    ({ target, newState }) => {
      if (!target.popover || !fieldOf(target)) return;
      if (newState === "open") {
        opened(target);
        if (target.querySelector(".clock")) document.getElementById("stop-clock")?.click(); // for everybody
      } else if ("behind" in target.dataset) showAgain(target.closest("[data-region]"));
    },
    true,
  );

  function showAgain(region) {
    drawn.delete(region?.id);
    show(newest);
  }

  /* ---- the stream ---- */

  function connect() {
    clearTimeout(retry);
    stream?.close();
    stream = new EventSource(live.dataset.stream);
    stream.addEventListener("table", (event) => {
      alive();
      banners.full.hidden = true;
      show(JSON.parse(event.data));
    });
    stream.addEventListener("beat", alive);
    stream.addEventListener("full", () => {
      heal();
      banners.full.hidden = false;
      leave();
      retry = setTimeout(connect, RETRY_WHEN_FULL_MILLISECONDS);
    });
    stream.addEventListener("error", lose);
    wait();
  }

  function wait() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, QUIET_MILLISECONDS);
  }

  function alive() {
    wait();
    heal();
  }

  function leave() {
    clearTimeout(watchdog);
    clearTimeout(retry);
    stream?.close();
    stream = null;
  }

  function lose() {
    leave();
    banners.lost.hidden = false;
    for (const control of live.querySelectorAll("button:enabled, input[type=file]:enabled")) {
      control.disabled = true;
      control.dataset.lost = "";
    }
    retry = setTimeout(connect, RETRY_MILLISECONDS);
  }

  function heal() {
    if (banners.lost.hidden) return;
    banners.lost.hidden = true;
    for (const control of live.querySelectorAll("[data-lost]")) {
      control.disabled = false;
      delete control.dataset.lost;
    }
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(rest);
    if (document.hidden) rest = setTimeout(leave, UNSEEN_MILLISECONDS);
    else if (!stream) connect();
  });

  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) connect();
  });

  /* ---- acting ---- */

  function say(words) {
    clearTimeout(hush);
    document.getElementById("said-words").textContent = words ?? "";
    said.hidden = !words;
    if (words) hush = setTimeout(() => say(null), SAID_MILLISECONDS);
  }

  function send(form, button) {
    const action = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const body = new FormData(form, button);
    if (body.has("seen")) body.set("seen", seenBy(form));
    const inBurst = "burst" in (button?.dataset ?? {}) && aimedAt().bursts.has(button.value);
    const inOwnWake = inBurst || (fieldOf(form) && sending.size > 0);
    const dialog = (button ?? form).closest(".sheet-over")?.id;
    const act = `${action} ${new URLSearchParams(body)}`;
    const at = performance.now();
    // a second tap while the first is under way, or before its effect was seen
    const again = sending.has(act) || (body.has("seen") && act === doneAct);
    if (again && !(inBurst && button.dataset.burst)) return;
    sending.add(act);
    queue = queue
      .then(async () => {
        // meant for the player after the one whose card was not played
        if (inBurst && at < broken.until) {
          broken.until = Math.max(broken.until, at + REACTION_MILLISECONDS);
          return say(`${broken.words} ${live.dataset.dropped}`);
        }
        // what the taps before have changed meanwhile was known to who tapped
        if (inOwnWake && isLater(done, body.get("seen"))) body.set("seen", done);
        const answer = await post(form, dialog, action, body);
        if (answer && !isRefused(answer)) doneAct = act;
        if (inBurst && (!answer || isRefused(answer) || answer.html.includes('id="asking"'))) {
          broken = { until: performance.now() + REACTION_MILLISECONDS, words: answer?.notice ?? "" };
        }
      })
      .finally(() => sending.delete(act));
  }

  const isRefused = ({ verdict }) => verdict === "refused" || verdict === "stale";

  function isLater(one, other) {
    const [[run, version], [otherRun, before]] = [one ?? "", other].map((seen) => seen.split("."));
    return run === otherRun && Number(version) > Number(before);
  }

  async function post(form, dialog, action, body) {
    try {
      const headers = { Accept: "application/json" };
      const response = await fetch(action, { method: "POST", body, headers });
      const answer = await response.json();
      answered(form, dialog, answer);
      return answer;
    } catch {
      return lose();
    }
  }

  function answered(form, dialog, answer) {
    const refused = isRefused(answer);
    const filling = form.matches(".filling");
    if (!refused && answer.run) done = `${answer.run}.${answer.version}`;
    if (filling && !refused) form.reset();
    // its own alone: another one was opened since, and somebody writes in it
    // and what it was opened from
    if (!filling || !refused) for (const id of [dialog, "more"]) openOne(id)?.hidePopover();
    live.dispatchEvent(new CustomEvent("answered", { detail: { dialog, refused } }));
    if (answer.html !== undefined) show(answer);
    const fault = filling && openOne(dialog)?.querySelector(".fault");
    if (fault) fault.textContent = refused ? answer.notice : "";
    const written = live.querySelector(":popover-open");
    // who reads why may send it once more; who opened it after the tap knew of the tap
    if (written && fieldOf(written) && (fault || !refused)) opened(written);
    if (!fault || !refused) say(answer.notice);
  }

  const openOne = (id) => id && document.getElementById(id)?.closest(":popover-open");

  live.addEventListener("submit", (event) => {
    if ("plain" in event.target.dataset) return; // another page answers it
    event.preventDefault();
    send(event.target, event.submitter);
  });

  live.addEventListener("click", (event) => {
    const typed = event.target.closest("[data-type]");
    if (typed) type(typed.closest("form").querySelector(".field"), typed.dataset.type);
    const seen = event.target.closest("g[data-die]");
    if (seen) document.getElementById(`die-${seen.dataset.die}`)?.showPopover();
    const taken = event.target.closest(".camera-sees button");
    if (taken) take(taken.parentElement);
  });

  /* What the camera sees in place of what was written. */
  function take(beside) {
    const field = fieldOf(beside.closest("form"));
    field.value = beside.dataset.reading;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    beside.hidden = true;
    field.focus();
  }

  /* A key of the page types at the caret; the empty one deletes the last piece before it. */
  function type(field, text) {
    const end = field.selectionEnd ?? field.value.length;
    const before = field.value.slice(0, field.selectionStart ?? end);
    const piece = /(?:[KRBOGPY]\d+|J(?:=[KRBO]\d+)?|\+\d+)[ ]*$|[^]$/;
    const kept = text ? before : before.replace(piece, "");
    const apart = /^[A-Z+]/.test(text) && /[^\s]$/.test(kept) ? " " : "";
    field.setRangeText(apart + text, kept.length, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) return;
    const key = live.querySelector(`.key[data-key="${CSS.escape(event.key.toLowerCase())}"]:enabled`);
    if (!key?.dataset.hold) return key?.click();
    key.classList.add("held");
    held = setTimeout(() => letGo("reroll"), key.dataset.hold * 1000);
  });
  document.addEventListener("keyup", (event) => held && event.key.toLowerCase() === "k" && letGo("keep"));

  /* One button: a short press is KEEP, a long one REROLL as soon as it is long enough. */
  function letGo(meant) {
    clearTimeout(held);
    held = 0;
    live.querySelector(".held")?.classList.remove("held");
    live.querySelector(`#button-${meant}:enabled`)?.click();
  }

  live.addEventListener("change", (event) => {
    if (event.target.id === "photo-file") event.target.form.requestSubmit();
  });

  /* ---- the clock of a turn ---- */

  const cue = (name) => live.dispatchEvent(new CustomEvent("cue", { detail: name }));

  function tellTime() {
    const clocks = live.querySelectorAll(".clock[data-ends]"); // in a dialog, too
    if (!clocks.length) {
      leftBefore = Infinity;
      return;
    }
    const left = Math.max(0, (Number(clocks[0].dataset.ends) - Date.now() - ahead) / 1000);
    const whole = Math.ceil(left);
    for (const clock of clocks) {
      clock.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      clock.classList.toggle("urgent", whole <= URGENT_SECONDS);
    }
    if (leftBefore > URGENT_SECONDS && left <= URGENT_SECONDS) cue("hurry");
    if (leftBefore > 0 && left <= 0) cue("over");
    leftBefore = left;
  }

  /* The clock of an event's round, by stopwatches: no wrong time of day misleads it. */
  function tellRoundTime() {
    const clock = live.querySelector(".round-time[data-ends]");
    if (!clock) return;
    const left = Math.ceil((Number(clock.dataset.ends) - performance.now() - stopwatch) / 1000);
    const whole = Math.abs(left);
    const written = `${left < 0 ? "+" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (clock.textContent !== written) clock.textContent = written;
    clock.classList.toggle("over", left <= 0);
  }

  setInterval(() => {
    tellTime();
    tellRoundTime();
  }, CLOCK_MILLISECONDS);

  /* ---- pictures ---- */

  function mark(picture) {
    picture.closest(".frame").classList.toggle("empty", !picture.naturalWidth);
  }

  function markMissingPictures() {
    for (const picture of live.querySelectorAll("img.shot")) if (picture.complete) mark(picture);
  }

  for (const kind of ["load", "error"]) {
    live.addEventListener(kind, (event) => event.target.matches("img.shot") && mark(event.target), true);
  }

  setInterval(() => {
    const picture = document.getElementById("latest");
    if (document.hidden || !banners.lost.hidden || !picture?.complete || !picture.offsetParent) return;
    if (table().dataset.moving === "yes") picture.src = `${live.dataset.latest}?at=${Date.now()}`;
  }, PICTURE_MILLISECONDS);

  document.body.classList.add("scripted-page");
  remember(table());
  note(table().dataset.run, table().dataset.version);
  const again = live.querySelector(".again"); // refused before this script was there
  if (again) {
    again.popover = "auto";
    again.showPopover();
  }
  markMissingPictures();
  history.scrollRestoration = "manual"; // else a reload scrolls away from the box afterwards
  followTurn();
  showPointed();
  connect();
})();
