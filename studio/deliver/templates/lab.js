// A lab: what is set, what is replayed at once, and which step is looked at.
"use strict";

class Lab {
  constructor(data) {
    this.data = data;
    this.at = id => document.getElementById(`lab-${id}`);
    this.settings = new Settings(data);
    this.view = new View(data, this.at);
    this.controls = new Controls(this.at("form"), this.settings, data.roles, () => this.change());
    this.isPage = document.body.classList.contains("lab-page");
    Object.assign(this, { chosen: 0, hovered: null, fault: null });
    this.good = structuredClone(this.settings.film);
    this.examples();
    this.wire();
    this.follow();
    new MutationObserver(() => this.view.draw(this)).observe(document.documentElement,
      { attributeFilter: ["lang"] });
    new ResizeObserver(() => this.view.isStale && this.view.draw(this))
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
    this.view.draw(this);
    this.keep();
  }
  play() {
    const { requests, config } = this.settings.workload(this.good);
    this.run = Replay.play(requests, config);
    this.config = config;
    this.names = requests.map(request => request.name);
    this.last = this.run.steps.length - (this.run.stuck ? 0 : 1);  // index of the last column
    this.chosen = Math.max(0, Math.min(this.chosen, this.last));
    this.hovered = null;
  }
  // The link of a page of its own says the settings, and goes back to them.
  follow() {
    const { settings, step, fault } = this.settings.read(
      this.isPage ? location.hash.slice(1) : "");
    if (!fault) this.chosen = step ? step - 1 : 0;
    else if (!this.run) this.play();
    this.controls.show(fault ? this.good : settings);
    this.take(settings, fault);
  }
  // The address follows when the hand rests: browsers allow only so many changes a second.
  keep() {
    if (!this.isPage || this.fault) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => history.replaceState(null, "",
      `${location.search}#${this.query()}`), 200);
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
    const announce = said => { this.at("said").textContent = said; };
    const give = text => offer(text, this.at("shared"), announce);
    this.at("copy").onclick = () => give(link().href);
    this.at("embed").onclick = () => give(embed());
    this.at("copy-command").onclick = () => give(this.at("command").textContent);
    this.at("step").addEventListener("input", () => this.choose(+this.at("step").value - 1));
    this.at("before").onclick = () => this.choose(this.chosen - 1);
    this.at("after").onclick = () => this.choose(this.chosen + 1);
    const scroll = this.at("scroll");
    const under = event => this.view.timeline.column(event.clientX
      - scroll.firstChild.getBoundingClientRect().left);
    scroll.addEventListener("click", event => this.choose(under(event)));
    scroll.addEventListener("pointermove", event => {
      if (event.pointerType !== "mouse") return;
      this.hover(under(event));
      this.view.tip(event, this.names);
    });
    scroll.addEventListener("pointerleave", () => { this.hover(null); this.view.tip(null); });
    if (this.isPage) addEventListener("hashchange", () => this.follow());
  }

  // --- which step -----------------------------------------------------------------------------
  choose(index) {
    this.chosen = Math.max(0, Math.min(index, this.last));
    this.hovered = null;
    this.view.moment(this);
    this.keep();
  }
  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.view.moment(this);
  }
}

if (document.body.classList.contains("lab-page")) {
  document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  Words.choose();
}
let lab;
function begin() {
  if (lab) return;
  lab = new Lab(JSON.parse(document.getElementById("lab-data").textContent));
  Near.legend();
  Words.apply();
}
Words.apply();  // the page's link to it is said now
// Beside a film it waits until somebody comes near: the film is to be there first.
const place = document.getElementById("lab"), way = document.querySelector(".lab-way a");
if (!way || location.hash === "#lab") begin();
else {
  way.addEventListener("click", begin);  // before the page goes there
  new IntersectionObserver(([entry]) => { if (entry.isIntersecting) begin(); },
    { rootMargin: "400px" }).observe(place);
}
