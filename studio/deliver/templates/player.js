// One act, beat by beat. Nothing plays until it is asked to; "next" plays exactly one beat.
"use strict";

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const clock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const make = (tag, attributes = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};

const player = {
  index: 0, frame: 0, digits: "",
  get beat() { return this.variant.beats[this.index]; },
  get atEnd() { return this.frame >= this.beat.frames - 1; },

  // --- which film -----------------------------------------------------------------------------
  pick(parameters) {
    const score = v => 4 * (v.parameters === parameters) + 2 * (v.language === Words.language)
      + (v.theme === Words.theme);
    return data.variants.reduce((best, v) => (score(v) > score(best) ? v : best));
  },
  clip(index) {
    const beat = this.variant.beats[index];
    return { url: beat.clip, poster: beat.first, frames: beat.frames, cues: beat.cues,
      title: beat.title[Words.language] };
  },

  // --- where in it ----------------------------------------------------------------------------
  // `frame` "end" is the last picture; the screen shows the beat before this resolves.
  async go(index, { frame = 0, play = false, variant = this.variant } = {}) {
    [this.variant, this.index] = [variant, index];
    const at = frame === "end" ? this.beat.frames - 1 : Math.min(frame, this.beat.frames - 1);
    this.frame = at;
    this.tell();
    const shown = await screen_.show(this.clip(index), variant.fps, at);
    if (!shown) return;
    if (play) await screen_.play();
    this.state();
    if (index + 1 < variant.beats.length) screen_.prepare(this.clip(index + 1));
  },
  next() {
    const on = this.atEnd || screen_.playing;
    const index = this.index + (on ? 1 : 0);
    if (index >= this.variant.beats.length) return this.announce(Words.say("last"));
    if ($("stills").checked) return this.go(index, { frame: "end" });
    return this.go(index, { frame: on ? 0 : this.frame, play: true });
  },
  back() {
    const start = this.frame === 0 && !screen_.playing;
    return this.go(Math.max(0, this.index - (start ? 1 : 0)));
  },
  toggle() {
    if (screen_.playing) { screen_.pause(); this.state(); } else this.next();
  },
  ended() {
    this.frame = this.beat.frames - 1;
    this.move();
    this.state();
    if ($("through").checked) this.next();
    else this.announce(Words.say("end", this.index + 1));
  },

  // --- what the page shows --------------------------------------------------------------------
  announce(text) { $("status").textContent = text; },
  state() {
    document.body.classList.toggle("playing", screen_.playing);
    document.body.classList.toggle("begin", !screen_.playing && !this.atEnd);
    $("play-word").textContent = Words.say(screen_.playing ? "pause" : "play");
    $("screen").dataset.frame = this.frame;
  },
  move() {
    $("screen").dataset.frame = this.frame;
    const part = (this.frame + 1) / this.beat.frames;
    [...$("line").children].forEach((node, k) => node.style.setProperty(
      "--done", k < this.index ? 1 : k > this.index ? 0 : this.frame ? part : 0));
    const starts = this.beat.at[Words.language], time = this.frame / this.variant.fps * 10;
    [...$("lines").children].forEach((node, k) => node.classList.toggle(
      "now", starts[k] <= time && !(starts[k + 1] <= time)));
  },
  tell() {
    const { beat, variant, index } = this, language = Words.language;
    const place = Words.say("beat", index + 1, variant.beats.length);
    $("beat-number").textContent = `${place} · ${clock(beat.seconds)}`;
    $("count").textContent = `${index + 1} / ${variant.beats.length}`;
    $("beat-title").textContent = beat.title[language];
    $("lines").replaceChildren(...beat.lines[language].map(
      text => make("p", { textContent: text })));
    $("source").textContent = beat.source;
    $("source-meaning").textContent = Words[language].meaning[beat.source.split(" · ")[0]] || "";
    $("steps").textContent = beat.steps.join(", ");
    $("steps").hidden = $("steps-word").hidden = !beat.steps.length;
    $("anchors").replaceChildren(...beat.anchors.map(
      ({ text, url }) => make("a", { href: url, textContent: text })));
    $("anchors").hidden = $("anchors-word").hidden = !beat.anchors.length;
    [...$("beats").querySelectorAll("button")].forEach((button, k) => {
      if (k === index) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.files();
    this.move();
    history.replaceState(null, "", `#${variant.stem}/${beat.name}`);
    this.announce(`${place}: ${beat.title[language]}`);
  },
  files() {
    const file = (label, url, kind) => make("li", {}, make(
      "a", { href: url, download: "" }, make("span", { textContent: label }),
      make("small", { textContent: kind })));
    const { files } = this.variant, { languages } = Words[Words.language];
    $("files").replaceChildren(
      file(Words.say("film"), files.film, "MP4"), file(Words.say("clip"), this.beat.clip, "MP4"),
      ...Object.keys(files.vtt).flatMap(each => [
        file(`${Words.say("vtt")}, ${languages[each]}`, files.vtt[each], "VTT"),
        file(`${Words.say("transcript")}, ${languages[each]}`, files.transcript[each], "MD")]),
      file(Words.say("cues"), files.cues, "JSON"));
  },
  // Everything that depends on the language or the film, not on the beat.
  dress() {
    const { variant } = this, language = Words.language, title = variant.title[language];
    document.title = $("act-title").textContent = title;
    $("number").textContent = Words.say("act", data.number);
    $("beats").replaceChildren(...variant.beats.map((beat, k) => make("li", {}, make(
      "button", { onclick: () => this.go(k) },
      make("img", { src: beat.thumb, alt: "", loading: "lazy", width: 480, height: 270 }),
      make("span", { className: "n", textContent: k + 1 }),
      make("span", { className: "t", textContent: beat.title[language] }),
      make("span", { className: "s", textContent: clock(beat.seconds) })))));
    $("line").replaceChildren(...variant.beats.map((beat, k) => {
      const part = make("i", { title: beat.title[language] });
      part.style.flexGrow = beat.frames;
      part.onclick = event => this.go(k, { frame: Math.round(
        event.offsetX / part.clientWidth * (beat.frames - 1)) });
      return part;
    }));
    const missing = [
      variant.language !== language && [Words[language].languages[variant.language], `--lang ${language}`],
      variant.theme !== Words.theme && [Words[language].themes[variant.theme], `--theme ${Words.theme}`],
    ].filter(Boolean);
    $("note").hidden = !missing.length;
    $("note").textContent = missing.map(pair => Words.say("other", ...pair)).join(" ");
    const { voice } = variant, licence = voice?.licence ? ` (${voice.licence})` : "";
    $("sound").hidden = $("voice").hidden = $("voice-word").hidden = !voice;
    $("voice").textContent = !voice ? "" : voice.machine
      ? Words.say("machine", voice.about + licence) : Words.say("person");
    $("screen").style.background = variant.ground;
    $("screen").classList.toggle("bright", variant.theme === "light");
  },
  // Change to the film that fits the choices best, and stay where we are.
  change(parameters = this.variant.parameters) {
    const { frame, beat, index } = this;
    const variant = this.pick(parameters);
    const found = variant.beats.findIndex(each => each.name === beat.name);
    const same = found < 0 ? Math.min(index, variant.beats.length - 1) : found;
    const part = frame / Math.max(1, beat.frames - 1);
    this.variant = variant;
    this.dress();
    $("variant").value = variant.parameters;
    return this.go(same, { frame: Math.round(part * (variant.beats[same].frames - 1)), variant });
  },
  // Whether the reader wants to hear the films that speak.
  get heard() { return Words.kept("sound", "on") === "on"; },
  sound(on) {
    Words.keep("sound", on ? "on" : "off");
    $("sound").setAttribute("aria-pressed", on);
    screen_.sound(on);
  },
  caption(language) {
    $("captions").value = language;
    Words.keep("captions", language);
    screen_.caption(language);
  },

  // --- deep links: #act04/chunked-prefill, #act04.zh.budget-8/chunked-prefill -------------------
  link() {
    const [stem, name] = decodeURIComponent(location.hash.slice(1)).split("/");
    const exact = data.variants.find(v => v.stem === stem);
    if (exact && stem !== data.act) {
      Words.keep("language", exact.language);
      Words.keep("theme", exact.theme);
    }
    const known = exact ? exact.parameters : (this.variant || data.variants[0]).parameters;
    this.variant = this.pick(known);
    const index = this.variant.beats.findIndex(beat => beat.name === name);
    return Math.max(0, index);
  },
};

const screen_ = new Screen($("screen"), {
  onframe: frame => { player.frame = frame; player.move(); },
  onend: () => player.ended(),
  onfault: error => { $("note").hidden = false; $("note").textContent = Words.say("broken", error); },
});
