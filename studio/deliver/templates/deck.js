// A clip starts with its slide; captions, pause, replay and waiting are keys. See the README.
"use strict";

const deck = JSON.parse(document.getElementById("deck").textContent);
const caption = document.getElementById("caption");
const talk = {
  shown: "",  // language of the captions; C goes from none to the deck's own, then to the others
  waits: new URLSearchParams(location.search).has("wait"),
  stands: matchMedia("(prefers-reduced-motion: reduce)").matches,  // pictures in place of motion
  get clip() { return Reveal.getCurrentSlide()?.querySelector("video"); },
  get isFresh() { return this.clip && this.clip.paused && !this.clip.ended && !this.clip.currentTime; },

  enter() {
    this.still(this.stands);
    this.words();
    if (!this.clip) return;
    this.clip.currentTime = 0;
    if (!this.waits && !this.stands) this.play();
  },
  still(stands) { document.body.classList.toggle("still", stands); },
  play() {
    this.still(false);
    this.clip?.play().catch(() => {});  // a browser may refuse sound until a key was pressed
  },
  toggle() {
    if (!this.clip) return;
    if (this.clip.paused) this.play(); else this.clip.pause();
  },
  replay() {
    if (this.clip) this.clip.currentTime = 0;
    this.play();
  },
  next() {
    if (this.waits && !this.stands && this.isFresh) this.play(); else Reveal.next();
  },
  captions() {
    const all = ["", ...deck.languages];
    this.shown = all[(all.indexOf(this.shown) + 1) % all.length];
    this.words();
  },
  words() {
    const track = this.clip?.tracks?.[this.shown];
    caption.lang = this.shown;
    caption.textContent = [...track?.activeCues || []].map(cue => cue.text).join("\n");
  },
};

for (const video of document.querySelectorAll("section > video")) {
  const cues = deck.cues[video.closest("section").id];
  video.tracks = Object.fromEntries(deck.languages.map(language => {
    const track = video.addTextTrack("captions", language, language);
    track.mode = "hidden";  // drawn by the page, in one size for every browser
    for (const [start, end, text] of cues[language])
      track.addCue(new VTTCue(start / 10, end / 10, text));
    track.addEventListener("cuechange", () => talk.words());
    return [language, track];
  }));
}

Reveal.initialize({ width: deck.size[0], height: deck.size[1], margin: 0, center: false,
  hash: true, transition: "none", autoPlayMedia: false, pdfMaxPagesPerSlide: 1,
  plugins: [RevealNotes] });
const keys = [[67, "C", "Captions", () => talk.captions()], [75, "K", "Pause", () => talk.toggle()],
  [82, "R", "Replay the clip", () => talk.replay()],
  [87, "W", "Clips wait for a key", () => { talk.waits = !talk.waits; }]];
for (const [keyCode, key, description, way] of keys)
  Reveal.addKeyBinding({ keyCode, key, description }, way);
for (const keyCode of [32, 34, 39, 78])  // space, page down, right, N
  Reveal.addKeyBinding({ keyCode }, () => talk.next());
Reveal.on("ready", () => talk.enter());
Reveal.on("slidechanged", () => talk.enter());
Reveal.on("paused", () => talk.clip?.pause());  // B: black
Reveal.on("resumed", () => talk.clip && !talk.isFresh && !talk.clip.ended && talk.play());
