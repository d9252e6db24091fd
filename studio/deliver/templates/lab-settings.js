// A lab's settings: what may be set, what a link says, which workload and which command it is.
// A field: {name, default, low, high, film}; of a list also {least, most}: how many entries.
"use strict";

class Settings {
  constructor({ act, fields }) {
    this.act = act;
    this.fields = fields;
    this.lists = fields.filter(field => field.least);
    this.film = Object.fromEntries(fields.map(field => [field.name, field.default]));
  }

  // The first fault of some settings: [words' key, the field or fields, ...what else it names], or
  // null where all is well.
  fault(settings) {
    for (const { name, low, high, least, most } of this.fields) {
      const value = settings[name], values = least ? value : [value];
      if (least && !(value.length >= least && value.length <= most))
        return ["labCount", name, least, most];
      const isRight = each => Number.isInteger(each) && each >= low && each <= high;
      const wrong = values.findIndex(each => !isRight(each));
      if (wrong >= 0) return ["labRange", name, low, high, least ? wrong : -1];
    }
    const uneven = this.lists.some(({ name }) => settings[name].length
      !== settings[this.lists[0].name].length);
    return uneven ? ["labUneven", this.lists.map(field => field.name)] : null;
  }

  // "budget=8&prompts=5,6&step=3" -> {settings, step, fault}; what is not said is the film's.
  read(text) {
    const settings = structuredClone(this.film);
    let step = 0, unknown = null;
    for (const [name, value] of new URLSearchParams(text)) {
      const field = this.fields.find(each => each.name === name);
      if (field) settings[name] = field.least ? value.split(",").map(whole) : whole(value);
      else if (name === "step") step = whole(value) || 0;
      else unknown ??= ["labUnknown", name];
    }
    return { settings, step, fault: unknown || this.fault(settings) };
  }

  // The fields that differ from the film's, each with its value as a link and `--set` write it.
  changed(settings) {
    return this.fields.map(field => ({ ...field, text: String(settings[field.name]) }))
      .filter(field => field.text !== String(field.default));
  }
  link(settings, step) {
    return [...this.changed(settings).map(({ name, text }) => `${name}=${text}`),
      ...(step ? [`step=${step}`] : [])].join("&");
  }
  command(settings) {
    return [`render.py ${this.act}`, ...this.changed(settings).filter(field => field.film)
      .map(({ name, text }) => `--set ${name}=${text}`)].join(" ");
  }
  // What the film does not show although it was set here.
  beyond(settings) {
    return this.changed(settings).filter(field => !field.film);
  }

  // Requests A, B, C …; toy ids of their own follow those with which all prompts begin.
  workload(settings) {
    const { budget, max_num_seqs, prompts, max_tokens, arrivals, shared } = settings;
    const { num_blocks, block_size } = settings;
    const requests = prompts.map((length, k) => ({
      name: String.fromCharCode(65 + k), arrival: arrivals[k], max_tokens: max_tokens[k],
      prompt: Array.from({ length }, (_, i) => (i < shared ? i : 1000 * (k + 1) + i)) }));
    return { requests,
      config: { block_size, num_blocks, max_num_batched_tokens: budget, max_num_seqs } };
  }
}

// A whole number as it is typed, else NaN.
function whole(text) {
  return /^\d{1,6}$/.test(String(text).trim()) ? Number(text) : NaN;
}
