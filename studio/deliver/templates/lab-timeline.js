// A replayed run as SVG: steps as columns, requests as rows, in the film's looks.
"use strict";

// An element of HTML, or of SVG where `svg` makes it; attributes that are null stay away.
function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
function picture(width, height, attributes, ...children) {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, ...attributes },
    ...children);
}

// What fills one cell of the timeline, `w` x `h`, at the origin; `role` names its hue.
const Looks = {
  place: (w, h) => [box(w, h, "place")],
  wait: (w, h) => [svg("line", { class: "wait", x1: 0, x2: w, y1: h / 2, y2: h / 2 })],
  prefill: (w, h, count) => [box(w, h, "work"), svg("text", { class: "tokens", x: w / 2,
    y: h / 2, "font-size": Math.min(h * 0.5, w * 0.56) }, String(count))],
  decode: (w, h) => [box(w, h, "work"),
    svg("circle", { class: "dot", cx: w / 2, cy: h / 2, r: Math.min(w, h) * 0.115 })],
  stall: (w, h) => [box(w, h, "faint"), ...[-1, 1].map(side => svg("line", { class: "pause",
    x1: w / 2 + side * h * 0.12, x2: w / 2 + side * h * 0.12, y1: h * 0.3, y2: h * 0.7 }))],
  preempt: (w, h) => [box(w, h, "lost"), svg("path", { class: "back", transform:
    `translate(${w / 2} ${h / 2}) scale(${h / 48})`,
    d: "M10 8 V-1 a7 7 0 0 0 -7 -7 H-10 M-4 -14 L-10 -8 L-4 -2" })],
  idle: (w, h, count) => [hatch(w, h), svg("text", { class: "seats", x: w / 2, y: h / 2,
    "font-size": Math.min(h * 0.62, w * 0.5) }, String(count))],
};
function box(width, height, kind) {
  return svg("rect", { class: kind, x: 1, y: 1, width: width - 2, height: height - 2, rx: 5 });
}
function hatch(w, h) {
  const lines = [];
  for (let x = 5; x < w + h; x += 8)
    lines.push(`M${Math.max(0, x - h)} ${Math.min(x, h)}L${Math.min(x, w)} ${Math.max(0, x - w)}`);
  return svg("g", {}, svg("rect", { class: "hatched", x: 0.75, y: 0.75, width: w - 1.5,
    height: h - 1.5 }), svg("path", { class: "hatching", d: lines.join("") }));
}
function cell(kind, role, w, h, count) {
  return svg("g", { class: `cell ${kind} ${role}` }, ...Looks[kind](w, h, count));
}

// `run`: what Replay.play returned; `roles`: request -> role; `names`: the requests, from above.
class Timeline {
  static GAP = 4;
  static TOP = 46;  // px: tick and band of the phase
  static EDGE = 3;  // px: for the ring around the first and the last step

  constructor(run, names, roles, room) {
    Object.assign(this, { run, names, roles });
    this.columns = run.steps.length + (run.stuck ? 1 : 0);  // the last one: nothing can run
    const each = (room - Timeline.EDGE) / this.columns - Timeline.GAP;
    this.width = Math.max(34, Math.min(76, each));
    this.height = Math.max(34, Math.min(48, this.width * 0.85));
    this.hasIdle = run.steps.some(step => step.idle);
    this.low = Math.min(30, this.height);  // px: height of the row of empty seats
    this.bottom = this.top(names.length) + (this.hasIdle ? this.low + 8 : 0);
  }
  left(column) { return Timeline.EDGE + column * (this.width + Timeline.GAP); }
  top(row) { return Timeline.TOP + row * (this.height + Timeline.GAP); }
  column(x) {
    return Math.max(0, Math.min(this.columns - 1,
      Math.floor((x - Timeline.EDGE) / (this.width + Timeline.GAP))));
  }
  // The request whose row is at `y`, if any.
  request(y) { return this.names[Math.floor((y - Timeline.TOP) / (this.height + Timeline.GAP))]; }

  // The letters, in a picture of their own that stays when the steps scroll.
  tags() {
    return picture(32, this.bottom, { "aria-hidden": "true" }, ...this.names.map((name, row) =>
      svg("text", { class: `letter ${this.roles[name]}`, x: 14, y: this.top(row)
        + this.height / 2 }, name)));
  }

  draw(label) {
    const across = this.left(this.columns);
    const columns = this.run.steps.map((step, k) => this.step(step, k));
    if (this.run.stuck) columns.push(this.stuck(this.run.steps.length));
    this.rings = ["hovered", "chosen"].map(kind => svg("rect", { class: `ring ${kind}`,
      y: 1, width: this.width + Timeline.GAP, height: this.bottom - 2, rx: 8 }));
    return picture(across, this.bottom, { role: "img", "aria-label": label },
      this.rings[1], ...columns, this.rings[0]);
  }
  // Move the ring "chosen" or "hovered" to a column; null hides it.
  ring(kind, index) {
    const ring = this.rings[kind === "chosen" ? 1 : 0];
    ring.classList.toggle("off", index === null);
    if (index !== null) ring.setAttribute("x", this.left(index) - Timeline.GAP / 2);
  }

  step(step, k) {
    const group = svg("g", { transform: `translate(${this.left(k)} 0)` },
      svg("text", { class: "tick", x: this.width / 2, y: 17 }, String(k + 1)),
      svg("rect", { class: `band ${step.phase}`, x: 0.75, y: 30, width: this.width - 1.5,
        height: 7 }));
    this.names.forEach((name, row) => group.append(svg("g", {
      transform: `translate(0 ${this.top(row)})` }, this.cell(step, name))));
    if (step.idle) group.append(svg("g", { transform:
      `translate(0 ${this.top(this.names.length) + 4})` },
    cell("idle", "", this.width, this.low, step.idle)));
    return group;
  }
  cell(step, name) {
    const { width, height } = this, role = this.roles[name];
    const part = step.parts.find(([request]) => request === name);
    const there = step.state.requests.find(request => request.name === name);
    const kind = part ? step.phase : step.preempted.includes(name) ? "preempt"
      : step.stalled.includes(name) ? "stall"
        : there && there.status !== "finished" ? "wait" : "place";
    return cell(kind, role, width, height, part && part[2]);
  }
  // Nothing can run and something is left.
  stuck(k) {
    const middle = this.width / 2, group = svg("g", { transform: `translate(${this.left(k)} 0)` },
      svg("path", { class: "cross", d: `M${middle - 7} 5l14 14m0 -14l-14 14` }));
    const left = new Set([...this.run.end.waiting, ...this.run.end.running]);
    this.names.forEach((name, row) => group.append(svg("g", {
      transform: `translate(0 ${this.top(row)})` },
    cell(left.has(name) ? "wait" : "place", this.roles[name], this.width, this.height))));
    return group;
  }
}
