// One act, beat by beat. Nothing plays until it is asked to; "next" plays exactly one beat.
"use strict";

const player = {
  index: 0, frame: 0, digits: "",
  get beat() { return this.variant.beats[this.index]; },
  get atEnd() { return this.frame >= this.beat.frames - 1; },
  get isLast() { return this.index + 1 >= this.variant.beats.length; },

  // --- which film -----------------------------------------------------------------------------
  pick(parameters) {
    const score = v => 4 * (v.parameters === parameters) + 2 * (v.language === Words.language)
      + (v.theme === Words.theme);
    return data.variants.reduce((best, v) => (score(v) > score(best) ? v : best));
  },
  clip(index) {
    const beat = this.variant.beats[index];
    return { url: beat.clip, last: beat.last, frames: beat.frames, cues: beat.cues,
      title: beat.title[Words.language] };
  },

  // --- where in it ----------------------------------------------------------------------------
  // `frame` "end" is the last picture. A beat that has not begun stands under its last picture,
  // unless `bare`; the screen shows the beat before this resolves.
  async go(index, { frame = 0, play = false, bare = play, variant = this.variant } = {}) {
    [this.variant, this.index] = [variant, index];
    const last = this.beat.frames - 1, at = frame === "end" ? last : Math.min(frame, last);
    this.frame = at;
    page.tell();
    const covered = frame === "end" || (at === 0 && !bare);
    const shown = await screen_.show(this.clip(index), variant.fps, at, covered);
    if (shown === "late") return;
    page.fault(shown === "missing" && Words.say("missing", this.beat.clip));
    if (shown === "missing") this.frame = last;  // "next" leads past it
    else if (play) await screen_.play();
    page.state();
    if (!this.isLast) screen_.prepare(this.clip(index + 1));
  },
  next() {
    const on = this.atEnd || screen_.playing;
    if (on && this.isLast) return this.leave();
    const index = this.index + (on ? 1 : 0);
    if ($("stills").checked) return this.go(index, { frame: "end" });
    return this.go(index, { frame: on ? 0 : this.frame, play: true });
  },
  back() {
    const start = this.frame === 0 && !screen_.playing;
    return this.go(Math.max(0, this.index - (start ? 1 : 0)));
  },
  // The act is over: say so, and go on to the next one when asked once more.
  leave() {
    if (!data.next) return page.announce(Words.say("last"));
    if (this.isLeaving) { location.href = data.next.page; return undefined; }
    this.isLeaving = true;
    page.announce(Words.say("onward", data.next.title[Words.language]), true);
    return undefined;
  },
  toggle() {
    if (screen_.playing) { screen_.pause(); page.state(); } else this.next();
  },
  // One frame on or back, standing.
  step(way) {
    const at = this.frame + way;
    if (at >= 0 && at < this.beat.frames) this.go(this.index, { frame: at, bare: true });
  },
  ended() {
    this.frame = this.beat.frames - 1;
    page.move();
    page.state();
    if ($("through").checked && !this.isLast) this.next();
    else page.announce(Words.say("end", this.index + 1));
  },

  // Change to the film that fits the choices best, and stay where we are.
  change(parameters = this.variant.parameters) {
    const { frame, beat, index } = this;
    const variant = this.pick(parameters);
    const found = variant.beats.findIndex(each => each.name === beat.name);
    const same = found < 0 ? Math.min(index, variant.beats.length - 1) : found;
    const part = frame / Math.max(1, beat.frames - 1);
    this.variant = variant;
    page.dress();
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
  speed(rate) {
    $("speed").value = rate;
    screen_.speed(+rate);
  },

  // --- links: #act04/chunked-prefill, #act04.zh.budget-8/chunked-prefill, ?t=12.5 ---------------
  // Returns [beat, frame] and chooses the film. `t` is in seconds from the named beat's start, or
  // from the film's where none is named.
  link() {
    let stem = "", name = "";
    try { [stem, name] = decodeURIComponent(location.hash.slice(1)).split("/"); } catch { /* a
      link cut short */ }
    const exact = data.variants.find(v => v.stem === stem);
    if (exact && stem !== data.act) {
      Words.keep("language", exact.language);
      Words.keep("theme", exact.theme);
    }
    this.variant = this.pick(exact ? exact.parameters
      : (this.variant || data.variants[0]).parameters);
    const { beats, fps } = this.variant;
    const found = beats.findIndex(beat => beat.name === name);
    let index = Math.max(0, found);
    let frame = Math.round((+new URLSearchParams(location.search).get("t") || 0) * fps);
    while (found < 0 && index + 1 < beats.length && frame >= beats[index].frames)
      frame -= beats[index++].frames;
    return [index, Math.max(0, frame)];
  },
};

const screen_ = new Screen($("screen"), {
  onframe: frame => { player.frame = frame; page.move(); },
  onend: () => player.ended(),
});
