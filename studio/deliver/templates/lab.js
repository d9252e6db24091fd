// A lab: settings in, the replayed run out, at once; and one step of it from near.
"use strict";

class Lab {
  constructor(data) {
    this.data = data;
    this.at = id => document.getElementById(`lab-${id}`);
    this.settings = new Settings(data);
    this.controls = new Controls(this.at("form"), this.settings, data.roles, () => this.change());
    this.isPage = document.body.classList.contains("lab-page");
    Object.assign(this, { chosen: 0, hovered: null, fault: null });
    this.good = structuredClone(this.settings.film);
    this.examples();
    this.wire();
    this.follow();
    new MutationObserver(() => this.draw()).observe(document.documentElement,
      { attributeFilter: ["lang"] });
    new ResizeObserver(() => this.room !== this.at("scroll").clientWidth && this.draw())
      .observe(this.at("scroll"));
  }

  // --- what is set ----------------------------------------------------------------------------
  change() {
    this.take(this.controls.read());
  }
  // Bad settings leave the last good picture where it is.
  take(settings, fault = this.settings.fault(settings)) {
    this.fault = fault;
    this.controls.mark(fault);
    if (!fault) {
      this.good = settings;
      this.play();
    }
    this.draw();
    this.keep();
  }
  play() {
    const { requests, config } = this.settings.workload(this.good);
    this.run = Replay.play(requests, config);
    this.config = config;
    this.names = requests.map(request => request.name);
    this.chosen = Math.max(0, Math.min(this.chosen, this.run.steps.length - 1));
    this.hovered = null;
  }
  // The link of a page of its own says the settings, and goes back to them.
  follow() {
    const { settings, step, fault } = this.settings.read(
      this.isPage ? location.hash.slice(1) : "");
    if (!fault) {
      this.chosen = step ? step - 1 : 0;
      this.controls.show(settings);
    } else this.controls.show(this.good);
    if (!this.run) this.play();
    this.take(settings, fault);
  }
  keep() {
    if (!this.isPage || this.fault) return;
    history.replaceState(null, "", `${location.search}#${this.query()}`);
  }
  query() { return this.settings.link(this.good, this.chosen && this.chosen + 1); }

  examples() {
    this.at("examples").append(...Object.entries(this.data.examples).map(([name, changed]) => {
      const button = element("button", { type: "button", "data-say": `lab_example_${name}` });
      button.onclick = () => {
        const settings = { ...structuredClone(this.settings.film), ...changed };
        this.chosen = 0;
        this.controls.show(settings);
        this.take(settings);
      };
      return button;
    }));
  }

  wire() {
    const link = () => new URL(`${this.data.act}.lab.html#${this.query()}`, location.href);
    const embed = () => {
      const to = link();
      to.search = "?embed";
      return `<iframe src="${to.href}" title="${Words.say("labTitle")}" width="960" height="900" `
        + 'loading="lazy"></iframe>';
    };
    const give = text => offer(text, this.at("shared"), said => { this.at("said").textContent = said; });
    this.at("copy").onclick = () => give(link().href);
    this.at("embed").onclick = () => give(embed());
    this.at("copy-command").onclick = () => give(this.at("command").textContent);
    this.at("step").addEventListener("input", () => this.choose(+this.at("step").value - 1));
    this.at("before").onclick = () => this.choose(this.chosen - 1);
    this.at("after").onclick = () => this.choose(this.chosen + 1);
    const scroll = this.at("scroll");
    const under = event => this.timeline.column(event.clientX
      - scroll.firstChild.getBoundingClientRect().left);
    scroll.addEventListener("click", event => this.choose(under(event)));
    scroll.addEventListener("pointermove", event => {
      if (event.pointerType !== "mouse") return;
      this.hover(under(event));
      this.tip(event);
    });
    scroll.addEventListener("pointerleave", () => { this.hover(null); this.tip(null); });
    if (this.isPage) addEventListener("hashchange", () => this.follow());
  }

  // --- which step -----------------------------------------------------------------------------
  choose(index) {
    this.chosen = Math.max(0, Math.min(index, this.run.steps.length - 1));
    this.hovered = null;
    this.moment();
    this.keep();
  }
  hover(index) {
    if (index === this.hovered || !this.run.steps.length) return;
    this.hovered = index;
    this.moment();
  }
  // Beside the pointer: the counters of the request whose cell is under it.
  tip(event) {
    const tip = this.at("tip"), name = event && this.timeline.request(event.clientY
      - this.at("scroll").getBoundingClientRect().top);
    tip.hidden = !name || !this.run.steps.length;
    if (tip.hidden) return;
    const row = [...this.at("counters").rows][this.names.indexOf(name)];
    const heads = [...this.at("counters").closest("table").tHead.rows[0].cells];
    tip.replaceChildren(...[...row.cells].map((cell, k) => element("span",
      { class: k ? null : cell.className }, k > 1 ? `${heads[k].textContent}: ${cell.textContent}`
        : cell.textContent)));
    tip.style.left = `${Math.min(event.clientX + 16, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
  }

  // --- what is seen ---------------------------------------------------------------------------
  draw() {
    this.tellFault();
    const { steps, totals } = this.run, scroll = this.at("scroll");
    const held = scroll.scrollLeft;
    this.room = scroll.clientWidth;
    this.timeline = new Timeline(this.run, this.names, this.data.roles, this.room);
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
    const slider = this.at("step");
    slider.max = Math.max(1, steps.length);
    slider.disabled = !steps.length;
    const command = this.settings.command(this.good);
    this.at("command").textContent = `.venv/bin/python ${command}`;
    const beyond = this.settings.beyond(this.good).map(({ name, text }) => `${name}=${text}`);
    this.at("beyond").textContent = beyond.length ? Words.say("labBeyond", beyond.join(", ")) : "";
    this.moment();
  }
  tellFault() {
    const { fault } = this, { tooLarge, stuck, steps, end } = this.run, { config } = this;
    const line = this.at("fault"), note = this.at("note");
    line.hidden = !fault;
    if (fault) {
      const [key, name, ...rest] = fault, known = Words[Words.language][`lab_${name}`] || name;
      line.textContent = Words.say(key, rest[2] >= 0
        ? Words.say("labOf", known, this.controls.names[rest[2]]) : known, ...rest);
    }
    note.hidden = !stuck && !tooLarge;
    if (tooLarge) note.textContent = Words.say("labLarge", tooLarge.name, tooLarge.blocks,
      config.block_size, config.num_blocks);
    else if (stuck) note.textContent = Words.say("labStuck", steps.length,
      [...end.waiting, ...end.running].join(", "));
  }

  // The step under the pointer, else the chosen one.
  moment() {
    const { steps, end } = this.run, index = this.hovered ?? this.chosen, step = steps[index];
    this.timeline.ring("chosen", step ? this.chosen : null);
    this.timeline.ring("hovered", this.hovered);
    const slider = this.at("step");
    slider.value = this.chosen + 1;
    this.at("before").disabled = !step || this.chosen === 0;
    this.at("after").disabled = !step || this.chosen === steps.length - 1;
    const title = step ? `${Words.say("labStep", index + 1, steps.length)} · `
      + Words[Words.language].labPhase[step.phase] : Words.say("labEnd");
    const happens = step ? Near.sentences(step, this.config) : "";
    slider.setAttribute("aria-valuetext", `${title}. ${happens}`);
    this.at("moment").textContent = title;
    this.at("happens").textContent = happens;
    if (this.hovered === null) this.reveal();
    const state = step ? step.state : end, totals = this.run.totals;
    this.at("counters").replaceChildren(...Near.rows(state, this.names, this.data.roles, totals));
    const held = state.blocks.filter(block => block.refs).length;
    this.at("pool").replaceChildren(PoolPicture.draw(state, this.config.block_size,
      this.data.roles, step?.phase === "decode", this.at("pool").clientWidth,
      Words.say("labPoolSays", held, state.blocks.length)));
    this.at("queue").replaceChildren(...(state.free.length ? state.free
      : [Words.say("labNobody")]).map(block => element("li", {}, String(block))));
  }
  // Bring the chosen column into the part of the timeline that is seen.
  reveal() {
    const scroll = this.at("scroll"), left = this.timeline.left(this.chosen);
    const right = left + this.timeline.width;
    if (left < scroll.scrollLeft) scroll.scrollLeft = left - 8;
    else if (right > scroll.scrollLeft + scroll.clientWidth)
      scroll.scrollLeft = right - scroll.clientWidth + 8;
  }
}

if (document.body.classList.contains("lab-page")) {
  document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  Words.choose();
}
const lab = new Lab(JSON.parse(document.getElementById("lab-data").textContent));
Near.legend();
Words.apply();
