/* This device's camera as the table's: sends the newest picture, one at a time, and goes on by itself
   when the camera, the network or the page itself was away. */
"use strict";

(() => {
  const PERIOD_MILLISECONDS = 125;
  const PAUSE_MILLISECONDS = 30; // until the camera has a new picture
  const RETRY_MILLISECONDS = 1500;
  const STUCK_MILLISECONDS = 3000; // without a new picture: the camera was taken away
  const LONGEST_MILLISECONDS = 4000;
  const [SLOW_MILLISECONDS, FAST_MILLISECONDS, FAST_IN_A_ROW] = [600, 250, 24];
  const SIZES = [[1280, 0.8], [1280, 0.6], [960, 0.6], [720, 0.5]]; // longer side, quality of JPEG
  const [LEVEL_DEGREES, MOST_DEGREES, SHOWN_A_DEGREE] = [8, 30, 3];
  const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 960 } };
  const FAULTS = { NotAllowedError: "denied", NotFoundError: "missing", OverconstrainedError: "missing" };

  const part = (name) => document.getElementById(`eye-${name}`);
  const eye = document.getElementById("eye");
  const video = part("video");
  const canvas = document.createElement("canvas");
  // This device keeps its name: what it sent last is no other phone's
  const sender = (localStorage.cameraSender ??= crypto.getRandomValues(new Uint32Array(2)).join("-"));
  const chosen = {}; // torch and zoom, for when the camera comes back
  let [wanted, running] = [false, false];
  let instead = false; // of the phone that is the camera
  let track = null;
  let [newest, sent] = [0, 0]; // when the camera's newest picture was taken, and the one sent last
  let [mark, markedAt] = [0, 0]; // the table's clock at its last answer, and this page's
  let [size, fast] = [0, 0];

  const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  function say(words) {
    if (part("words").textContent !== words) part("words").textContent = words;
    part("words").hidden = !words;
  }

  const tell = (name) => say(part("words").dataset[name]);

  /* ---- the camera ---- */

  async function open() {
    track?.stop();
    track = null;
    tell("asking");
    video.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false, video: WANTED });
    [track] = video.srcObject.getVideoTracks();
    await video.play();
    newest = sent = performance.now();
    video.requestVideoFrameCallback(note);
    offerTools();
    say("");
  }

  function note(now, { captureTime }) {
    if (video.srcObject.getVideoTracks()[0] !== track) return; // it was opened anew
    newest = captureTime <= now && now - captureTime < LONGEST_MILLISECONDS ? captureTime : now;
    video.requestVideoFrameCallback(note);
  }

  const isGone = () =>
    track?.readyState !== "live" || performance.now() - newest > STUCK_MILLISECONDS;

  async function run() {
    if (running) return;
    running = true;
    while (wanted && !document.hidden) {
      const began = performance.now();
      try {
        if (isGone()) await open();
        if (newest === sent) await rest(PAUSE_MILLISECONDS);
        else if (await send()) await rest(began + PERIOD_MILLISECONDS - performance.now());
        else await rest(RETRY_MILLISECONDS);
      } catch (error) {
        tell(FAULTS[error.name] ?? "taken");
        if (error.name in FAULTS) start(false); // no use to try again
        else await rest(RETRY_MILLISECONDS);
      }
    }
    running = false;
  }

  function start(on) {
    wanted = on;
    if (on) sessionStorage.cameraStarted = "yes"; // a reload needs no tap
    else delete sessionStorage.cameraStarted;
    part("start").hidden = on;
    part("tools").hidden = !on;
    aim(on);
    run();
  }

  /* ---- sending ---- */

  /* Gives whether the next picture may follow at once. */
  async function send() {
    const [side, quality] = SIZES[size];
    const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    const at = Math.max(0, Math.round(mark + newest - markedAt));
    sent = newest;
    const query = new URLSearchParams({ sender, at, ...(instead && { instead: "yes" }) });
    const [began, busy] = [performance.now(), reads()];
    try {
      const answer = await fetch(`${eye.dataset.send}?${query}`, {
        method: "POST",
        body: await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality)),
        headers: { Accept: "application/json", "Content-Type": "image/jpeg" },
        signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
      });
      const told = await answer.json();
      part("instead").hidden = answer.status !== 409;
      instead = false;
      if (answer.ok) {
        [mark, markedAt] = [told.mark, performance.now()];
        adapt(markedAt - began, busy);
      }
      say(told.notice ?? (size ? part("words").dataset.slow : ""));
      return answer.ok;
    } catch (error) {
      if (error.name === "TimeoutError") adapt(LONGEST_MILLISECONDS, busy);
      tell("lost");
      return false;
    }
  }

  /* Whether the table reads the dice, which may slow its answers. */
  const reads = () => document.querySelector(".sight-reading") !== null;

  /* Smaller pictures over a slow network, larger ones when it has been fast for a while. */
  function adapt(took, busy) {
    if (busy || reads()) return;
    fast = took < FAST_MILLISECONDS ? fast + 1 : 0;
    if (took > SLOW_MILLISECONDS) size = Math.min(size + 1, SIZES.length - 1);
    else if (fast && fast % FAST_IN_A_ROW === 0) size = Math.max(size - 1, 0);
  }

  /* ---- aiming ---- */

  function aim(on) {
    eye.classList.toggle("aiming", on);
    part("aim").setAttribute("aria-pressed", on);
    part("hint").hidden = !on;
  }

  function set(value) {
    Object.assign(chosen, value);
    track?.applyConstraints({ advanced: [value] }).catch(() => {}); // it is as it was, and seen to be
  }

  function offerTools() {
    const can = track.getCapabilities?.() ?? {};
    part("torch").hidden = !can.torch;
    part("zooms").hidden = !(can.zoom?.max > can.zoom?.min);
    Object.assign(part("zoom"), can.zoom, { value: chosen.zoom ?? track.getSettings().zoom });
    for (const [name, value] of Object.entries(chosen)) set({ [name]: value });
  }

  part("aim").addEventListener("click", () => aim(!eye.classList.contains("aiming")));
  part("torch").addEventListener("click", ({ currentTarget }) => {
    currentTarget.setAttribute("aria-pressed", !chosen.torch);
    set({ torch: !chosen.torch });
  });
  part("zoom").addEventListener("input", ({ target }) => set({ zoom: Number(target.value) }));

  video.addEventListener("resize", () => {
    const unit = WANTED.width.ideal / Math.max(video.videoWidth, video.videoHeight);
    const [width, height] = [video.videoWidth * unit, video.videoHeight * unit];
    part("guides").setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  });

  window.addEventListener("deviceorientation", ({ beta, gamma }) => {
    if (beta === null) return; // a device that has no such sensor
    for (const [at, angle] of Object.entries({ cx: gamma, cy: beta })) {
      const shown = Math.max(-MOST_DEGREES, Math.min(MOST_DEGREES, angle));
      part("bubble").setAttribute(at, shown * SHOWN_A_DEGREE);
    }
    part("level").classList.toggle("level", Math.hypot(beta, gamma) < LEVEL_DEGREES);
    for (const name of ["level", "level-hint"]) part(name).removeAttribute("hidden");
  });

  /* ---- coming and going ---- */

  part("begin").addEventListener("click", () => {
    window.DeviceOrientationEvent?.requestPermission?.().catch(() => {}); // iPhones ask; a level is no must
    start(true);
  });
  part("take").addEventListener("click", () => {
    instead = true;
    part("instead").hidden = true;
  });
  for (const event of ["visibilitychange", "pageshow"]) window.addEventListener(event, run);

  const arrives = /^#(start|\d{6})$/.test(location.hash); // just let in, or once more by the code
  if (arrives) history.replaceState(null, "", location.pathname);

  if (!window.isSecureContext) {
    part("secure").hidden = false;
    part("https").href = `https${location.href.slice("http".length)}`;
    tell("insecure");
  } else if (!navigator.mediaDevices || !video.requestVideoFrameCallback || !AbortSignal.timeout) {
    tell("old");
  } else if (arrives || sessionStorage.cameraStarted) {
    start(true);
  } else {
    part("start").hidden = false;
  }
})();
