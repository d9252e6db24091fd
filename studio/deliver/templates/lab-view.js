// What a lab shows: figures, timeline, the chosen step from near, command and faults.
"use strict";

class View {
  // `at`: part of an id -> the element.
  constructor(data, at) {
    Object.assign(this, { data, at });
  }
  // Whether there is more or less room than when it was drawn.
  get isStale() { return this.room !== this.at("scroll").clientWidth; }

  // Beside the pointer: the counters of the request whose cell is under it.
  tip(event, names) {
    const tip = this.at("tip"), name = event && this.timeline.request(event.clientY
      - this.at("scroll").getBoundingClientRect().top);
    tip.hidden = !name;
    if (tip.hidden) return;
    const row = [...this.at("counters").rows][names.indexOf(name)];
    const heads = [...this.at("counters").closest("table").tHead.rows[0].cells];
    tip.replaceChildren(...[...row.cells].map((cell, k) => element("span",
      { class: k ? null : cell.className }, k > 1 ? `${heads[k].textContent}: ${cell.textContent}`
        : cell.textContent)));
    tip.style.left = `${Math.min(event.clientX + 16, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
  }

  draw(lab) {
    this.faults(lab);
    const { run: { totals }, settings, good } = lab, scroll = this.at("scroll");
    const held = scroll.scrollLeft;
    this.room = scroll.clientWidth;
    this.timeline = new Timeline(lab.run, lab.names, this.data.roles, this.room);
    this.at("tags").replaceChildren(this.timeline.tags());
    scroll.replaceChildren(this.timeline.draw(Words.say("labRun", totals.steps, totals.pauses,
      totals.idle, totals.preemptions)));
    scroll.scrollLeft = held;
    if (scroll.scrollWidth > scroll.clientWidth) scroll.tabIndex = 0;
    else scroll.removeAttribute("tabindex");
    this.at("figures").replaceChildren(...["steps", "pauses", "idle", "preemptions", "again"].map(
      what => element("div", { class: totals[what] ? what : `${what} none` },
        element("dt", {}, Words.say(`lab${what[0].toUpperCase()}${what.slice(1)}`)),
        element("dd", {}, String(totals[what])))));
    this.at("step").max = lab.last + 1;
    this.at("command").textContent = `.venv/bin/python ${settings.command(good)}`;
    const beyond = settings.beyond(good).map(({ name, text }) => `${this.label(name)} = ${text}`);
    this.at("beyond").textContent = beyond.length ? Words.say("labBeyond", this.listed(beyond)) : "";
    this.moment(lab);
  }
  // What the form calls a field, and several things in a row.
  label(name) { return Words.say(`lab_${name}`); }
  listed(things) { return things.join(Words.language === "zh" ? "、" : ", "); }
  // A line for what was set wrongly, and one for a workload that this engine cannot serve.
  faults({ fault, config, run: { tooLarge, stuck, steps, end }, controls }) {
    const line = this.at("fault"), note = this.at("note");
    line.hidden = !fault;
    if (fault) {
      const [key, names, ...rest] = fault;
      const known = key === "labUnknown" ? names : this.listed([names].flat().map(this.label));
      line.textContent = Words.say(key, rest[2] >= 0
        ? Words.say("labOf", known, controls.names[rest[2]]) : known, ...rest);
    }
    note.hidden = !stuck && !tooLarge;
    if (tooLarge) note.textContent = Words.say("labLarge", tooLarge.name, tooLarge.blocks,
      config.block_size, config.num_blocks);
    else if (stuck) note.textContent = Words.say("labStuck", steps.length,
      [...end.waiting, ...end.running].join(", "));
  }

  // The step under the pointer, else the chosen one.
  moment({ run: { steps, end, totals }, config, names, chosen, hovered, last }) {
    const index = hovered ?? chosen, step = steps[index];
    this.timeline.ring("chosen", chosen);
    this.timeline.ring("hovered", hovered);
    const slider = this.at("step");
    slider.value = chosen + 1;
    this.at("before").disabled = chosen === 0;
    this.at("after").disabled = chosen === last;
    const title = step ? `${Words.say("labStep", index + 1, steps.length)} · `
      + Words[Words.language].labPhase[step.phase] : Words.say("labEnd");
    const happens = step ? Near.sentences(step, config) : "";
    slider.setAttribute("aria-valuetext", `${title}. ${happens}`);
    this.at("moment").textContent = title;
    this.at("happens").textContent = happens;
    if (hovered === null) this.reveal(chosen);
    const state = step ? step.state : end;
    this.at("counters").replaceChildren(...Near.rows(state, names, this.data.roles, totals));
    const held = state.blocks.filter(block => block.refs).length;
    this.at("pool").replaceChildren(PoolPicture.draw(state, config.block_size,
      this.data.roles, step?.phase === "decode", this.at("pool").clientWidth,
      Words.say("labPoolSays", held, state.blocks.length)));
    this.at("queue").replaceChildren(...(state.free.length ? state.free
      : [Words.say("labNobody")]).map(block => element("li", {}, String(block))));
  }
  // Bring the chosen column into the part of the timeline that is seen.
  reveal(column) {
    const scroll = this.at("scroll"), left = this.timeline.left(column);
    const right = left + this.timeline.width;
    if (left < scroll.scrollLeft) scroll.scrollLeft = left - 8;
    else if (right > scroll.scrollLeft + scroll.clientWidth)
      scroll.scrollLeft = right - scroll.clientWidth + 8;
  }
}
