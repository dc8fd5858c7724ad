/* This device's camera as the table's: sends the newest picture, one at a time, and goes on by itself
   when the camera, the network or the page itself was away. */
"use strict";

(() => {
  const PERIOD_MILLISECONDS = 125;
  const PAUSE_MILLISECONDS = 30; // until the camera has a new picture
  const RETRY_MILLISECONDS = 1500;
  const STUCK_MILLISECONDS = 3000; // without a new picture: the camera was taken away
  const LONGEST_MILLISECONDS = 4000;
  const [SLOW_MILLISECONDS, FAST_MILLISECONDS] = [600, 250];
  const FAST_IN_A_ROW = 24;
  const SIZES = [[1280, 0.8], [1280, 0.6], [960, 0.6], [720, 0.5]]; // longer side, quality of JPEG
  const STARTED = "camera-started";
  const SENDER = "camera-sender"; // this device keeps its name: what it sent last is no other phone's
  const LEVEL_DEGREES = 8;
  const WIDTH = 1280;
  const WANTED = {
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: WIDTH }, height: { ideal: 960 } },
  };

  const part = (name) => document.getElementById(`eye-${name}`);
  const eye = document.getElementById("eye");
  const video = part("video");
  const canvas = document.createElement("canvas");
  const sender = (localStorage[SENDER] ??= crypto.getRandomValues(new Uint32Array(2)).join("-"));
  const chosen = {}; // torch and zoom, for when the camera comes back
  let wanted = false;
  let running = false;
  let instead = false; // of the phone that is the camera
  let track = null;
  let newest = 0; // when the camera's newest picture was taken, and the one that was sent
  let sent = 0;
  let mark = 0; // the table's clock at its last answer, and this page's
  let markedAt = 0;
  let size = 0;
  let fast = 0;

  const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  function say(words) {
    part("words").textContent = words;
    part("words").hidden = !words;
  }

  const tell = (name) => say(part("words").dataset[name]);

  /* ---- the camera ---- */

  async function open() {
    track?.stop();
    track = null;
    tell("asking");
    const stream = await navigator.mediaDevices.getUserMedia(WANTED);
    video.srcObject = stream;
    [track] = stream.getVideoTracks();
    await video.play();
    newest = sent = performance.now();
    video.requestVideoFrameCallback(note);
    offerTools();
    say("");
  }

  function note(now, { captureTime }) {
    if (video.srcObject?.getVideoTracks()[0] !== track) return;
    newest = captureTime <= now && now - captureTime < LONGEST_MILLISECONDS ? captureTime : now;
    video.requestVideoFrameCallback(note);
  }

  const isGone = () =>
    track?.readyState !== "live" || performance.now() - newest > STUCK_MILLISECONDS;

  /* Gives whether it is of use to try again. */
  function explain(error) {
    const names = { NotAllowedError: "denied", NotFoundError: "missing", OverconstrainedError: "missing" };
    tell(names[error.name] ?? "taken");
    return !(error.name in names);
  }

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
        if (!explain(error)) stop();
        else await rest(RETRY_MILLISECONDS);
      }
    }
    running = false;
  }

  function begin() {
    DeviceOrientationEvent.requestPermission?.().catch(() => {}); // only an iPhone asks; a level is no must
    sessionStorage.setItem(STARTED, "yes"); // a reload needs no tap
    wanted = true;
    part("start").hidden = true;
    part("tools").hidden = false;
    aim(part("aim").getAttribute("aria-pressed") === "true");
    run();
  }

  function stop() {
    wanted = false;
    sessionStorage.removeItem(STARTED);
    part("start").hidden = false;
    part("tools").hidden = part("hint").hidden = true;
  }

  /* ---- sending ---- */

  const picture = (quality) => new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));

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
    const began = performance.now();
    try {
      const answer = await fetch(`${eye.dataset.send}?${query}`, {
        method: "POST",
        body: await picture(quality),
        headers: { Accept: "application/json", "Content-Type": "image/jpeg" },
        signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
      });
      return answered(answer, await answer.json(), performance.now() - began);
    } catch {
      size = SIZES.length - 1;
      tell("lost");
      return false;
    }
  }

  function answered(answer, { mark: now, notice }, took) {
    part("instead").hidden = answer.status !== 409;
    instead = false;
    if (!answer.ok) {
      say(notice);
      return false;
    }
    mark = now;
    markedAt = performance.now();
    fast = took < FAST_MILLISECONDS ? fast + 1 : 0;
    if (took > SLOW_MILLISECONDS && size < SIZES.length - 1) size += 1;
    if (fast >= FAST_IN_A_ROW && size > 0) {
      size -= 1;
      fast = 0;
    }
    if (took > SLOW_MILLISECONDS) tell("slow");
    else say("");
    return true;
  }

  /* ---- aiming ---- */

  function aim(on) {
    eye.classList.toggle("aiming", on);
    part("aim").setAttribute("aria-pressed", on);
    part("hint").hidden = !on;
  }

  const set = (value) => {
    Object.assign(chosen, value);
    track?.applyConstraints({ advanced: [value] }).catch(() => {}); // it is as it was, and seen to be
  };

  function offerTools() {
    const can = track.getCapabilities?.() ?? {};
    part("torch").hidden = !can.torch;
    part("zooms").hidden = !(can.zoom?.max > can.zoom?.min);
    if (can.zoom) Object.assign(part("zoom"), { ...can.zoom, value: track.getSettings().zoom });
    for (const [name, value] of Object.entries(chosen)) set({ [name]: value });
    if (chosen.zoom) part("zoom").value = chosen.zoom;
  }

  part("aim").addEventListener("click", () => aim(!eye.classList.contains("aiming")));
  part("torch").addEventListener("click", ({ currentTarget }) => {
    const torch = currentTarget.getAttribute("aria-pressed") !== "true";
    currentTarget.setAttribute("aria-pressed", torch);
    set({ torch });
  });
  part("zoom").addEventListener("input", ({ target }) => set({ zoom: Number(target.value) }));

  video.addEventListener("resize", () => {
    const unit = WIDTH / Math.max(video.videoWidth, video.videoHeight, 1);
    const [width, height] = [video.videoWidth * unit, video.videoHeight * unit];
    part("guides").setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  });

  window.addEventListener("deviceorientation", ({ beta, gamma }) => {
    if (beta === null) return; // a device that has no such sensor
    const [across, down] = [gamma, beta].map((angle) => Math.max(-30, Math.min(30, angle)));
    part("bubble").setAttribute("cx", (across * 3).toFixed(1));
    part("bubble").setAttribute("cy", (down * 3).toFixed(1));
    part("level").classList.toggle("level", Math.hypot(beta, gamma) < LEVEL_DEGREES);
    for (const name of ["level", "level-hint"]) part(name).removeAttribute("hidden");
  });

  /* ---- coming and going ---- */

  part("begin").addEventListener("click", begin);
  part("take").addEventListener("click", () => {
    instead = true;
    part("instead").hidden = true;
  });
  for (const event of ["visibilitychange", "pageshow"]) window.addEventListener(event, run, true);

  if (!window.isSecureContext) {
    part("start").hidden = true;
    part("secure").hidden = false;
    part("https").href = location.href.replace(/^http:/, "https:");
    tell("insecure");
  } else if (!navigator.mediaDevices || !video.requestVideoFrameCallback) {
    part("start").hidden = true;
    tell("old");
  } else if (sessionStorage.getItem(STARTED)) {
    begin();
  }
})();
