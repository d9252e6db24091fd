// One step of a replayed run from near: what happens in it, and every request's counters.
"use strict";

const Near = {
  // In words: who comes, what is computed, who gets nothing, who leaves.
  sentences(step, config) {
    const who = names => names.join(Words.language === "zh" ? "、" : ", ");
    const used = step.parts.reduce((sum, [, , count]) => sum + count, 0);
    const all = [["labArrived", step.arrived], ["labPreempted", step.preempted]];
    const told = all.filter(([, names]) => names.length).map(([key, names]) =>
      Words.say(key, who(names)));
    for (const [name, blocks] of Object.entries(step.hits))
      told.push(Words.say("labHit", name, blocks.length));
    told.push(step.phase === "prefill"
      ? Words.say("labPrefill", used, config.max_num_batched_tokens)
      : Words.say("labDecode", who(step.parts.map(([name]) => name))));
    for (const [key, names] of [["labDiscarded", step.discarded], ["labStalled", step.stalled],
      ["labFinished", step.finished]])
      if (names.length) told.push(Words.say(key, who(names)));
    return told.join(Words.language === "zh" ? "" : " ");
  },

  // A row of the table for each request; `totals.first`: request -> step of its first token.
  rows(state, names, roles, totals) {
    const none = Words.say("labNone"), words = Words[Words.language];
    return names.map(name => {
      const there = state.requests.find(request => request.name === name);
      const status = there ? there.status : "absent", isGone = !there || status === "finished";
      const first = totals.first[name];
      const cells = [words.labStatus[status], there ? there.known : none,
        isGone ? none : there.cached, isGone ? none : there.scheduled,
        there?.table.length ? there.table.join(" ") : none,
        first === undefined ? none : first + 1];
      return element("tr", { class: isGone ? "gone" : null },
        element("th", { scope: "row", class: `letter ${roles[name]}` }, name),
        ...cells.map(text => element("td", {}, String(text))));
    });
  },

  // What the looks of cells, of places and of blocks mean.
  legend() {
    const cells = [["prefill", "labKeyPrefill", 4], ["decode", "labKeyDecode"],
      ["stall", "labKeyStall"], ["preempt", "labKeyPreempt"], ["wait", "labKeyWait"],
      ["idle", "labKeyIdle", 2]];
    document.getElementById("lab-key").append(...cells.map(([kind, key, count]) =>
      this.entry(picture(34, 28, { "aria-hidden": "true" }, cell(kind, "neutral", 34, 28, count)),
        key)));
    const slots = [["cached", "labKeyCached"], ["now", "labKeyNow"], ["known", "labKeyKnown"],
      ["kept", "labKeyKept"]];
    document.getElementById("lab-slots").append(...slots.map(([look, key]) => this.entry(
      picture(24, 24, { "aria-hidden": "true" }, svg("g", { class: `slot ${look}` },
        ...PoolPicture.slot(look, 24))), key)), this.entry(picture(34, 24,
      { "aria-hidden": "true" }, svg("g", { transform: "translate(-2 12)" },
        ...PoolPicture.mark({ label: 3, findable: true }, PoolPicture.LINE / 2))), "labKeyFound"));
  },
  entry(sample, key) {
    return element("li", {}, sample, element("span", { "data-say": key }));
  },
};
