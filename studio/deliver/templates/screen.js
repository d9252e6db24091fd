// Two stacked <video> elements: one is seen, the other loads what comes next. A clip holds one
// beat, so the browser itself stops on the beat's last frame: no timer could be as exact. Where
// nothing has moved yet, the beat's own last picture covers the clip, as its words say.
"use strict";

class Screen {
  constructor(root, { onframe, onend }) {
    [this.seen, this.spare] = root.querySelectorAll("video");
    [this.cover, this.words] = [root.querySelector(".cover"), root.querySelector(".words")];
    this.root = root;
    this.turn = 0;     // counts requests, so that a late one is dropped
    this.fps = 30;
    for (const video of [this.seen, this.spare]) {
      video.captions = Object.fromEntries(Object.entries(Words.tags).map(([language, tag]) => {
        const track = video.addTextTrack("captions", language, tag);
        track.addEventListener("cuechange", () => this.say());
        return [language, track];
      }));
      video.addEventListener("ended", () => video === this.seen && onend());
      const follow = (_, meta) => {
        if (video === this.seen && !this.isCovered) onframe(this.frameAt(meta.mediaTime));
        video.requestVideoFrameCallback(follow);
      };
      if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(follow);
      else video.addEventListener("timeupdate", () => video === this.seen && !this.isCovered
        && onframe(Math.min(this.frames - 1, Math.floor(video.currentTime * this.fps))));
    }
    this.mark();
  }

  // A browser says when the picture begins or, Firefox after a seek, the moment sought within it.
  frameAt(time) { return Math.floor(time * this.fps + 0.1); }

  mark() {
    for (const video of [this.seen, this.spare]) {
      video.classList.toggle("seen", video === this.seen);
      video.setAttribute("aria-hidden", video !== this.seen);
    }
  }

  // clip: {url, last, title, frames, cues}; frame: where to stand; covered: under its last
  // picture. Resolves to "shown", "late" when another request came meanwhile, or "missing".
  async show(clip, fps, frame = 0, covered = false) {
    const turn = ++this.turn;
    const video = this.seen.url === clip.url ? this.seen : this.spare;
    this.seen.pause();
    if (covered) this.hold(clip);
    this.load(video, clip);
    await this.ready(video);
    if (turn !== this.turn) return "late";
    if (video.error) {
      this.forget(video);
      this.hold(clip);
      return "missing";
    }
    this.fps = fps;
    this.frames = clip.frames;
    if (!covered || frame === 0) await this.seek(video, frame);
    if (turn !== this.turn) return "late";
    if (video !== this.seen) [this.seen, this.spare] = [video, this.seen];
    this.mark();
    if (!covered) this.release();
    this.say();
    return "shown";
  }

  get isCovered() { return !this.cover.hidden; }
  hold(clip) {
    this.cover.src = clip.last;
    this.cover.alt = clip.title;
    this.cover.hidden = false;
    this.say();
  }
  release() { this.cover.hidden = true; }

  load(video, clip) {
    if (video.url === clip.url) return;
    this.forget(video);
    video.url = clip.url;
    video.src = clip.url;
    video.setAttribute("aria-label", clip.title);
    for (const [language, track] of Object.entries(video.captions)) {
      track.mode = "hidden";  // drawn by the page, in one size for every browser
      for (const cue of [...track.cues]) track.removeCue(cue);
      for (const [start, end, text] of clip.cues[language] || [])
        track.addCue(new VTTCue(start / 10, end / 10, text));
    }
    video.defaultPlaybackRate = video.playbackRate = this.rate || 1;
  }
  forget(video) {
    if (video.whole) URL.revokeObjectURL(video.whole);
    video.whole = video.url = null;
  }

  prepare(clip) { this.load(this.spare, clip); }

  ready(video) {
    if (video.readyState >= 2 || video.error) return Promise.resolve();
    return new Promise(done => ["loadeddata", "error"].forEach(
      name => video.addEventListener(name, done, { once: true })));
  }

  // The middle of a frame's time, so that rounding cannot reach a neighbour; 0 is the start.
  async seek(video, frame) {
    const time = frame && (frame + 0.5) / this.fps, url = video.url;
    if (await this.jump(video, time)) return;
    try {  // the server cannot give a part of a file: take the whole
      const file = await (await fetch(url)).blob();
      if (video.url !== url) return;
      video.src = video.whole = URL.createObjectURL(file);
      await this.ready(video);
      if (video.error) throw video.error;
    } catch {  // or where that is not allowed, the start
      if (video.url === url) video.src = url;
      return this.ready(video);
    }
    await this.jump(video, time);
  }
  async jump(video, time) {
    const isThere = () => Math.abs(video.currentTime - time) < 0.5 / this.fps;
    if (isThere()) return true;
    await new Promise(done => {
      video.addEventListener("seeked", done, { once: true });
      video.currentTime = time;
    });
    return isThere();
  }

  play() { this.release(); return this.seen.play().catch(() => {}); }
  pause() { this.turn++; this.seen.pause(); }
  get playing() { return !this.seen.paused && !this.seen.ended; }

  sound(on) { for (const video of [this.seen, this.spare]) video.muted = !on; }
  speed(rate) {
    this.rate = rate;
    for (const video of [this.seen, this.spare])
      video.defaultPlaybackRate = video.playbackRate = rate;
  }

  caption(language) {
    this.language = language;
    this.say();
  }
  say() {
    const cues = this.isCovered ? [] : this.seen.captions[this.language]?.activeCues || [];
    this.words.lang = Words.tags[this.language] || "";
    this.words.textContent = [...cues].map(cue => cue.text).join("\n");
  }
}
