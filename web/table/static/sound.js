/* What this device lets be heard: the table's sentences and short sounds, behind one switch, which each
   device keeps. Everything can be seen as well: a page without it lacks nothing. */
"use strict";

(() => {
  const KEPT = "sound"; // what this device was told last; it is quiet until somebody switches it on
  const CUES = { // hertz and seconds of each tone
    settled: [[660, 0.08], [880, 0.12]],
    doubt: [[440, 0.12], [330, 0.2]],
    hurry: [[880, 0.25]],
    over: [[440, 0.8]],
  };
  const page = document.documentElement;
  const live = document.getElementById("live");
  const button = document.getElementById("sound");
  let wanted = localStorage.getItem(KEPT) === "yes";
  let sounds = null;
  let told = live?.querySelector("main").dataset.once;

  function play(cue) {
    if (!wanted || !cue || typeof AudioContext === "undefined") return;
    sounds ??= new AudioContext();
    let at = sounds.currentTime;
    for (const [hertz, seconds] of CUES[cue]) {
      const tone = new OscillatorNode(sounds, { frequency: hertz });
      tone.connect(new GainNode(sounds, { gain: 0.2 })).connect(sounds.destination);
      tone.start(at);
      tone.stop((at += seconds));
    }
  }

  /* What is spoken ends; of what waits behind it only the newest is spoken. */
  function speak(words) {
    if (!wanted || !words || !("voice" in page.dataset) || !window.speechSynthesis) return;
    if (speechSynthesis.pending) speechSynthesis.cancel();
    const sentence = new SpeechSynthesisUtterance(words);
    sentence.lang = page.lang;
    speechSynthesis.speak(sentence);
  }

  live?.addEventListener("settled", () => {
    const news = live.querySelector("main").dataset;
    if (news.once === told) return;
    told = news.once;
    play(news.cue);
    speak(news.words);
    live.dispatchEvent(new CustomEvent("told", { detail: news.celebrate }));
  });
  live?.addEventListener("cue", ({ detail }) => play(detail));

  button?.addEventListener("click", () => {
    wanted = !wanted;
    localStorage.setItem(KEPT, wanted ? "yes" : "no");
    button.setAttribute("aria-pressed", wanted);
    if (wanted) play("settled");
    else window.speechSynthesis?.cancel();
  });
  button?.setAttribute("aria-pressed", wanted);
  button?.removeAttribute("hidden");
})();
