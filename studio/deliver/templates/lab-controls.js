// The fields of a lab: a slider for a number, a row of numbers for a list.
"use strict";

class Controls {
  // `form`: where they go; `then` is called after each change.
  constructor(form, lab, roles, then) {
    this.lab = lab;
    this.most = lab.lists[0].most;
    this.names = Object.keys(roles);
    this.numbers = Object.fromEntries(lab.lists.map(field => [field.name,
      this.names.slice(0, this.most).map(name => this.number(field, name))]));
    this.sliders = Object.fromEntries(lab.fields.filter(field => !field.least).map(
      field => [field.name, this.slider(field)]));
    this.count = this.slider({ name: "requests", low: lab.lists[0].least, high: this.most });
    form.append(this.table(roles), element("div", { class: "sliders" },
      ...[this.count, ...Object.values(this.sliders)].map(input => input.closest("label"))));
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("input", () => { this.settle(); then(); });
  }

  slider({ name, low, high }) {
    const input = element("input", { type: "range", min: low, max: high, step: 1, name,
      id: `lab-set-${name}` });
    element("label", { class: "slider" }, element("span", { "data-say": `lab_${name}` }), input,
      element("output", { for: input.id }));
    return input;
  }
  number({ name, low, high }, request) {
    return element("input", { type: "number", min: low, max: high, step: 1, inputmode: "numeric",
      "aria-labelledby": `lab-set-${name} lab-of-${request}`, "aria-describedby": "lab-fault" });
  }
  // Requests as columns: their letters in their hues, and below each its numbers.
  table(roles) {
    const head = element("tr", {}, element("td"), ...this.names.slice(0, this.most).map(
      name => element("th", { scope: "col", id: `lab-of-${name}`, class: `letter ${roles[name]}` },
        name)));
    const rows = this.lab.lists.map(({ name }) => element("tr", {},
      element("th", { scope: "row", id: `lab-set-${name}`, "data-say": `lab_${name}` }),
      ...this.numbers[name].map(input => element("td", {}, input))));
    return element("table", { class: "lists" }, element("thead", {}, head),
      element("tbody", {}, ...rows));
  }

  // Put settings into the fields; a list's entries beyond its end keep what they were.
  show(settings) {
    this.count.value = settings[this.lab.lists[0].name].length;
    for (const [name, input] of Object.entries(this.sliders)) input.value = settings[name];
    for (const { name, default: film } of this.lab.lists)
      this.numbers[name].forEach((input, k) => {
        input.value = settings[name][k] ?? (input.value || film[k]);
      });
    this.settle();
  }
  // The sliders say their numbers; columns of requests that are not there are hidden.
  settle() {
    for (const input of [this.count, ...Object.values(this.sliders)])
      input.nextElementSibling.textContent = input.value;
    for (const row of this.count.closest("form").querySelectorAll("tr"))
      [...row.cells].forEach((cell, k) => { cell.hidden = k > +this.count.value; });
  }
  read() {
    return {
      ...Object.fromEntries(Object.entries(this.sliders).map(
        ([name, input]) => [name, +input.value])),
      ...Object.fromEntries(Object.entries(this.numbers).map(([name, inputs]) => [name,
        inputs.slice(0, +this.count.value).map(input => whole(input.value))])),
    };
  }
  // Mark the field that a fault names, or none.
  mark(fault) {
    const wrong = fault && this.numbers[fault[1]]?.[fault[4]];
    for (const input of Object.values(this.numbers).flat()) {
      if (input === wrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }
}
