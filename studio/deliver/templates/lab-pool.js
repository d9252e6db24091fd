// The pool of blocks at one step as SVG: K over V in every place, whose it is, what is findable.
"use strict";

const PoolPicture = {
  GAP: 6, PAD: 7, LINE: 24,

  // `state`: of a step; `isDecode`: what is scheduled in it is a decode's token.
  draw(state, size, roles, isDecode, room, label) {
    const count = state.blocks.length, { columns, cell } = this.fit(count, size, room);
    const across = this.across(size, cell), down = cell + 2 * this.LINE;
    const rows = Math.ceil(count / columns);
    const blocks = state.blocks.map((block, id) => svg("g", { transform:
      `translate(${(id % columns) * (across + this.GAP)} ${Math.floor(id / columns)
        * (down + this.GAP)})` },
    ...this.block(block, id, this.holders(state, id, size, roles), { size, cell, isDecode })));
    return picture(columns * (across + this.GAP) - this.GAP, rows * (down + this.GAP),
      { role: "img", "aria-label": label }, ...blocks);
  },

  across(size, cell) { return size * (cell + 3) - 3 + 2 * this.PAD; },
  // As few rows as places of at least 15 px allow; a place is at most 30 px wide.
  fit(count, size, room) {
    const inside = columns => (room + this.GAP) / columns - this.GAP - 2 * this.PAD;
    const cellOf = columns => (inside(columns) + 3) / size - 3;
    let columns = 1;
    while (columns < count && cellOf(columns + 1) >= 15) columns++;
    columns = Math.ceil(count / Math.ceil(count / columns));  // rows of one length
    return { columns, cell: Math.max(10, Math.min(30, cellOf(columns))) };
  },

  // Who has the block in its table, and how much of it: cached, computed now, known.
  holders(state, id, size, roles) {
    const part = (request, first) => {
      const span = (start, count) => Math.max(0, Math.min(start + count, first + size)
        - Math.max(start, first));
      const { cached, scheduled, known } = request;
      return { name: request.name, role: roles[request.name], cached: span(0, cached),
        now: span(cached, scheduled), known: span(cached + scheduled, known - cached - scheduled) };
    };
    return state.requests.filter(request => request.table.includes(id))
      .map(request => part(request, request.table.indexOf(id) * size));
  },

  block(block, id, holders, { size, cell, isDecode }) {
    const across = this.across(size, cell), down = cell + 2 * this.LINE, isFree = !holders.length;
    const isKept = isFree && block.label !== null;
    const fullest = holders.reduce((one, other) => (other.cached > one.cached
      || (other.cached === one.cached && other.now > one.now) ? other : one),
    holders[0] || { cached: isKept ? size : 0, now: 0, known: 0 });
    const looks = [...Array(size).keys()].map(k => {
      if (k < fullest.cached) return isFree ? "kept" : "cached";
      if (k < fullest.cached + fullest.now) return isDecode ? "now decode" : "now";
      return k < fullest.cached + fullest.now + fullest.known ? "known" : "empty";
    });
    const frame = isFree ? (block.findable ? "free findable" : "free") : `held ${holders[0].role}`;
    return [
      svg("rect", { class: `frame ${frame}`, x: 1.5, y: 1.5, width: across - 3, height: down - 3,
        rx: 7 }),
      svg("text", { class: "id", x: this.PAD, y: this.LINE / 2 + 1 }, String(id)),
      ...this.tags(holders, across),
      ...looks.map((look, k) => svg("g", { class: `slot ${look}`,
        transform: `translate(${this.PAD + k * (cell + 3)} ${this.LINE})` },
      ...this.slot(look, cell))),
      ...this.mark(block, down),
    ];
  },
  // The letters of those who hold it, closer to each other where many do.
  tags(holders, across) {
    const right = across - this.PAD - 9, most = (right - 36) / Math.max(1, holders.length - 1);
    return holders.map(({ name, role }, k) => {
      const x = right - Math.min(20, most) * (holders.length - 1 - k);
      return svg("g", { class: `owner ${role}` },
        svg("rect", { x: x - 9, y: 4, width: 18, height: 18, rx: 4 }),
        svg("text", { x, y: this.LINE / 2 + 1 }, name));
    });
  },
  // The label of the block's published hash, framed while a look-up finds it.
  mark({ label, findable }, down) {
    if (label === null) return [];
    const text = `#${label}`, y = down - this.LINE / 2;
    return [...(findable ? [svg("rect", { class: "mark", x: this.PAD - 3, y: y - 8.5,
      width: 8 * text.length + 6, height: 17, rx: 4 })] : []),
    svg("text", { class: "hash", x: this.PAD, y }, text)];
  },
  slot(look, cell) {
    const half = (cell - 8) / 2 - 1, edge = svg("rect", { class: "edge", x: 0.75, y: 0.75,
      width: cell - 1.5, height: cell - 1.5, rx: 3 });
    if (look === "empty" || look === "known") return [edge];
    const wide = cell - 6, parts = [edge,
      svg("rect", { class: "key", x: 3, y: 3, width: wide, height: half + 1 }),
      svg("rect", { class: "value", x: 3, y: cell / 2 + 1, width: wide, height: half + 1 })];
    if (look.startsWith("now")) parts.push(svg("line", { class: "stripe", x1: 3, x2: cell - 3,
      y1: cell / 2, y2: cell / 2, "stroke-dasharray": look === "now" ? null
        : `${wide / 5} ${wide / 5}` }));
    return parts;
  },
};
