// Two stacked <video> elements: one is seen, the other loads what comes next. A clip holds one
// beat, so the browser itself stops on the beat's last frame: no timer could be as exact.
"use strict";

class Screen {
  constructor(root, { onframe, onend, onfault }) {
    [this.seen, this.spare] = root.querySelectorAll("video");
    this.root = root;
    this.turn = 0;     // counts requests, so that a late one is dropped
    this.fps = 30;
    this.fault = onfault;
    for (const video of [this.seen, this.spare]) {
      video.captions = Object.fromEntries(Object.entries(Words.tags).map(
        ([language, tag]) => [language, video.addTextTrack("captions", language, tag)]));
      video.addEventListener("ended", () => video === this.seen && onend());
      const follow = (_, meta) => {
        if (video === this.seen) onframe(Math.round(meta.mediaTime * this.fps));
        video.requestVideoFrameCallback(follow);
      };
      if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(follow);
      else video.addEventListener("timeupdate", () => video === this.seen
        && onframe(Math.min(this.frames - 1, Math.floor(video.currentTime * this.fps))));
    }
    this.mark();
  }

  mark() {
    for (const video of [this.seen, this.spare]) {
      video.classList.toggle("seen", video === this.seen);
      video.setAttribute("aria-hidden", video !== this.seen);
    }
  }

  // clip: {url, poster, title, frames, cues}; frame: where to stand. Resolves to false when
  // another request came meanwhile.
  async show(clip, fps, frame = 0) {
    const turn = ++this.turn;
    const video = this.seen.url === clip.url ? this.seen : this.spare;
    this.seen.pause();
    this.load(video, clip);
    await this.ready(video);
    if (turn !== this.turn) return false;
    if (video.error) { this.fault(video.error.message || clip.url); return false; }
    this.fps = fps;
    this.frames = clip.frames;
    await this.seek(video, frame);
    if (turn !== this.turn) return false;
    if (video !== this.seen) [this.seen, this.spare] = [video, this.seen];
    this.mark();
    return true;
  }

  load(video, clip) {
    if (video.url === clip.url) return;
    video.url = clip.url;
    video.poster = clip.poster;
    video.src = clip.url;
    video.setAttribute("aria-label", clip.title);
    for (const [language, track] of Object.entries(video.captions)) {
      track.mode = "hidden";
      for (const cue of [...track.cues]) track.removeCue(cue);
      for (const [start, end, text] of clip.cues[language] || [])
        track.addCue(Object.assign(new VTTCue(start / 10, end / 10, text),
          // In the film's empty band, its rows 5.5 % of the height each; not every browser
          // can align a cue by its end.
          { snapToLines: false, line: 97.2 - 5.5 * text.split("\n").length }));
    }
    this.caption(this.language);
  }

  prepare(clip) { this.load(this.spare, clip); }

  ready(video) {
    if (video.readyState >= 2) return Promise.resolve();
    return new Promise(done => ["loadeddata", "error"].forEach(
      name => video.addEventListener(name, done, { once: true })));
  }

  // The middle of a frame's time, so that rounding cannot reach a neighbour; 0 is the start.
  seek(video, frame) {
    const time = frame && (frame + 0.5) / this.fps;
    if (Math.abs(video.currentTime - time) < 1e-3) return Promise.resolve();
    return new Promise(done => {
      video.addEventListener("seeked", done, { once: true });
      video.currentTime = time;
    });
  }

  play() { return this.seen.play().catch(() => {}); }
  pause() { this.turn++; this.seen.pause(); }
  get playing() { return !this.seen.paused && !this.seen.ended; }

  sound(on) { for (const video of [this.seen, this.spare]) video.muted = !on; }

  caption(language) {
    this.language = language;
    for (const video of [this.seen, this.spare])
      for (const [each, track] of Object.entries(video.captions))
        track.mode = each === language ? "showing" : "hidden";
  }
}
