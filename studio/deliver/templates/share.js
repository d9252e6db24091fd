// Ways out of the page: a link to this moment, code to embed the beat, the presenter's window.
"use strict";

const share = {
  link() {
    const to = new URL(location.href), { frame, atEnd, variant } = player;
    const moment = screen_.isCovered || atEnd ? 0 : frame / variant.fps;
    to.search = moment ? `?t=${moment.toFixed(1)}` : "";
    return to.href;
  },
  embed() {
    const to = new URL(location.href), title = player.beat.title[Words.language];
    to.search = "?embed";
    const quoted = title.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    return `<iframe src="${to.href}" title="${quoted}" width="960" height="600" `
      + 'allow="fullscreen" loading="lazy"></iframe>';
  },
  offer(text) { return offer(text, $("shared"), said => page.announce(said)); },
};

// A second window for who speaks: the words, the next beat's picture, and a clock.
const presenter = {
  window: null,
  open() {
    this.window = window.open("presenter.html", "presenter", "width=900,height=640");
  },
  tell() {
    if (!this.window || this.window.closed) return;
    const { beat, index, variant } = player, language = Words.language;
    const next = variant.beats[index + 1];
    this.window.postMessage({
      language: Words.tags[language], ground: variant.theme,
      place: Words.say("beat", index + 1, variant.beats.length), title: beat.title[language],
      lines: beat.lines[language], nextWord: Words.say("next"),
      next: next ? next.title[language] : Words.say("last"), picture: next ? next.thumb : "",
    }, "*");
  },
  // The other window asks for what to show, or hands on a key.
  hear(event) {
    if (event.source !== this.window) return;
    const way = { next: () => player.next(), back: () => player.back(), toggle: () =>
      player.toggle(), hello: () => this.tell() }[event.data];
    if (way) way();
  },
};
addEventListener("message", event => presenter.hear(event));
