/* Counts a round's clock by this device's own stopwatch, which no wrong time of day misleads.
   A clock on a live page brings the address where its seconds are asked for, whenever it was changed;
   one on a page that is loaded anew brings the seconds. Counts down to times of day, too. */
"use strict";

(() => {
  const TICK_MILLISECONDS = 250;
  const ASK_AGAIN_MILLISECONDS = 60000;
  const SOON_SECONDS = 300;
  const loaded = performance.now();
  const call = document.getElementById("time-call");
  const sound = document.getElementById("sound");
  let known = null; // the newest answer: stamp, left, running, and when it came
  let asking = false;
  let called = null; // the seconds at the last look, so that each moment is told once
  let audio = null;

  function written(left) {
    const seconds = Math.abs(left);
    const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return left < 0 ? `+${minutes}` : minutes;
  }

  async function ask(element) {
    if (asking) return;
    asking = true;
    try {
      const answer = await fetch(element.dataset.clock);
      if (answer.ok) known = { ...(await answer.json()), at: performance.now() };
    } catch {
      // without contact the clock goes on as it is known; the page says that contact is lost
    } finally {
      asking = false;
    }
  }

  function secondsLeft(element) {
    if (element.dataset.left !== undefined) {
      const gone = element.dataset.running ? performance.now() - loaded : 0;
      return Number(element.dataset.left) - Math.floor(gone / 1000);
    }
    const old = known !== null && performance.now() - known.at > ASK_AGAIN_MILLISECONDS;
    if (known === null || known.stamp !== element.dataset.stamp || old) ask(element);
    if (known === null || known.stamp === "") return null;
    return known.left - (known.running ? Math.floor((performance.now() - known.at) / 1000) : 0);
  }

  function beep(times) {
    if (audio === null) return;
    for (let each = 0; each < times; each += 1) {
      const tone = audio.createOscillator();
      tone.frequency.value = 880;
      tone.connect(audio.destination);
      tone.start(audio.currentTime + each * 0.5);
      tone.stop(audio.currentTime + each * 0.5 + 0.3);
    }
  }

  function tell(left) {
    const passed = (seconds) => called !== null && called > seconds && left <= seconds;
    const due = passed(0) ? ["over", 3] : passed(SOON_SECONDS) ? ["soon", 1] : null;
    called = left;
    if (call === null || due === null) return;
    call.textContent = call.dataset[due[0]];
    beep(due[1]);
  }

  function tick() {
    for (const until of document.querySelectorAll("[data-until]")) {
      const seconds = Math.ceil((new Date(until.dataset.until) - Date.now()) / 1000);
      until.textContent = `(${written(Math.max(0, seconds))})`;
    }
    const element = document.querySelector(".round-clock");
    const left = element === null ? null : secondsLeft(element);
    if (left === null) return;
    const shown = element.querySelector(".time-left");
    if (shown.textContent !== written(left)) shown.textContent = written(left);
    element.classList.toggle("soon", left <= SOON_SECONDS && left > 0);
    element.classList.toggle("over", left <= 0);
    tell(left);
  }

  if (sound !== null) {
    sound.hidden = false;
    sound.addEventListener("click", () => {
      audio = audio === null ? new AudioContext() : null; // a browser lets a page sound after a tap only
      sound.setAttribute("aria-pressed", String(audio !== null));
      beep(1);
    });
  }
  setInterval(tick, TICK_MILLISECONDS);
  tick();
})();
