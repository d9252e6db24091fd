// What the act's page shows of the player: words, list, line, files, state.
"use strict";

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const clock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const make = (tag, attributes = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};

const page = {
  announce(text, isSeen = false) {
    $("status").textContent = text;
    $("status").classList.toggle("heard", !isSeen);
  },
  // A line under the title where something is missing; none when `text` is empty.
  fault(text) {
    const { variant } = player, language = Words.language;
    const other = variant.language !== language
      && Words.say("other", Words[language].languages[variant.language]);
    $("note").textContent = text || other || "";
    $("note").hidden = !$("note").textContent;
  },
  state() {
    document.body.classList.toggle("playing", screen_.playing);
    document.body.classList.toggle("begin", !screen_.playing && !player.atEnd);
    $("play-word").textContent = Words.say(screen_.playing ? "pause" : "play");
    $("screen").dataset.frame = player.frame;
    presenter.tell();
  },
  move() {
    const { beat, frame, index, variant } = player;
    $("screen").dataset.frame = frame;
    const part = (frame + 1) / beat.frames;
    [...$("line").children].forEach((node, k) => node.style.setProperty(
      "--done", k < index ? 1 : k > index ? 0 : frame ? part : 0));
    const starts = beat.at[Words.language], time = frame / variant.fps * 10;
    [...$("lines").children].forEach((node, k) => node.classList.toggle(
      "now", starts[k] <= time && !(starts[k + 1] <= time)));
  },
  tell() {
    const { beat, variant, index } = player, language = Words.language;
    const place = Words.say("beat", index + 1, variant.beats.length);
    player.isLeaving = false;
    $("beat-number").textContent = `${place} · ${clock(beat.seconds)}`;
    $("count").textContent = `${index + 1} / ${variant.beats.length}`;
    $("beat-title").textContent = beat.title[language];
    $("lines").replaceChildren(...beat.lines[language].map(
      text => make("p", { textContent: text })));
    $("source").textContent = beat.source;
    $("source-meaning").textContent = beat.meaning[language];
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
    history.replaceState(null, "", `${location.search}#${variant.stem}/${beat.name}`);
    this.announce(`${place}: ${beat.title[language]}`);
  },
  files() {
    const file = (label, url, kind) => make("li", {}, make(
      "a", { href: url, download: "" }, make("span", { textContent: label }),
      make("small", { textContent: kind })));
    const { files } = player.variant, { languages } = Words[Words.language];
    $("files").replaceChildren(
      file(Words.say("film"), files.film, "MP4"), file(Words.say("clip"), player.beat.clip, "MP4"),
      ...Object.keys(files.vtt).flatMap(each => [
        file(`${Words.say("vtt")}, ${languages[each]}`, files.vtt[each], "VTT"),
        file(`${Words.say("transcript")}, ${languages[each]}`, files.transcript[each], "MD")]),
      file(Words.say("cues"), files.cues, "JSON"));
  },
  // Who speaks; neither the line nor the button for sound where nobody does.
  voice(voice) {
    const licence = voice?.licence ? ` (${voice.licence})` : "";
    $("sound").hidden = $("voice").hidden = $("voice-word").hidden = !voice;
    $("voice").textContent = !voice ? "" : voice.machine
      ? Words.say("machine", voice.about + licence) : Words.say("person");
  },
  // Everything that depends on the language or the film, not on the beat.
  dress() {
    const { variant } = player, language = Words.language, title = variant.title[language];
    $("act-title").textContent = title;
    document.title = `${title} · ${Words.say("act", data.number)} · ${Words.say("course")}`;
    $("number").textContent = Words.say("act", data.number);
    $("beats").replaceChildren(...variant.beats.map((beat, k) => make("li", {}, make(
      "button", { onclick: () => player.go(k) },
      make("img", { src: beat.thumb, alt: "", loading: "lazy", width: 480, height: 270 }),
      make("span", { className: "n", textContent: k + 1 }),
      make("span", { className: "t", textContent: beat.title[language] }),
      make("span", { className: "s", textContent: clock(beat.seconds) })))));
    $("line").replaceChildren(...variant.beats.map((beat, k) => {
      const part = make("i", { title: beat.title[language] });
      part.style.flexGrow = beat.frames;
      part.onclick = event => player.go(k, { frame: Math.round(
        event.offsetX / part.clientWidth * (beat.frames - 1)) });
      return part;
    }));
    $("onward").hidden = !data.next;
    if (data.next) {
      $("onward").href = data.next.page;
      $("onward-title").textContent = data.next.title[language];
    }
    this.fault("");
    this.voice(variant.voice);
    $("screen").style.background = variant.ground;
    $("screen").classList.toggle("bright", variant.theme === "light");
  },
};
