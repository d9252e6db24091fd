// Scheduler and block pool, replayed step by step: traces/reference.py in the browser.
// tests/test_lab_replay.py holds both to the same records, so what is decided is said there.
"use strict";

const Replay = (() => {
  class Engine {
    // requests: [{name, prompt: ids, max_tokens, arrival}]; config: as in traces/workload.py.
    constructor(requests, config) {
      this.config = config;
      this.pool = new Pool(config.block_size, config.num_blocks);
      this.coming = requests.map((asked, k) => ({ ...asked, base: 1000 * (k + 1) }))
        .sort((one, other) => one.arrival - other.arrival);
      this.requests = [];  // in the order in which they were added
      this.waiting = [];
      this.running = [];
      this.steps = [];
      this.generating = new Set();  // have a token and are not finished
    }

    // To the end, or until nothing can run although something is left: the engine's bare assertion.
    play() {
      while (this.coming.length || this.waiting.length || this.running.length)
        if (!this.step()) return true;
      return false;
    }

    step() {
      const now = { index: this.steps.length, arrived: this.arrive(), hits: {}, preempted: [] };
      let parts = this.prefill(now);
      now.phase = parts.length ? "prefill" : "decode";
      if (!parts.length) parts = this.decode(now);
      if (!parts.length) return false;
      for (const part of parts) this.plan(part, now.phase);
      const worked = parts.map(part => part.request);
      now.parts = parts.map(({ request, start, count }) => [request.name, start, count]);
      now.stalled = now.phase === "decode" ? [] : [...this.generating].filter(
        request => !worked.includes(request)).map(request => request.name);
      now.idle = this.idle();
      now.state = this.snapshot();
      const samples = parts.map(part => this.complete(part));
      for (const what of ["produced", "discarded", "finished"])
        now[what] = samples.filter(sample => sample[what]).map(sample => sample.name);
      this.steps.push(now);
      return true;
    }

    // Without work the engine takes no step until somebody comes.
    arrive() {
      const isIdle = !this.waiting.length && !this.running.length && this.coming.length;
      const now = Math.max(this.steps.length, isIdle ? this.coming[0].arrival : 0);
      const arrived = [];
      while (this.coming.length && this.coming[0].arrival <= now) {
        const asked = this.coming.shift();
        const request = { ...asked, ids: [...asked.prompt], status: "waiting", cached: 0,
          scheduled: 0, kept: 0, table: [] };
        this.requests.push(request);
        this.waiting.push(request);
        arrived.push(request.name);
      }
      return arrived;
    }

    // From the head of the waiting line. Only the first may be cut; who gets no blocks stops all.
    prefill(now) {
      const parts = [], { pool } = this;
      let left = this.config.max_num_batched_tokens;
      for (const request of this.waiting.slice(0, this.config.max_num_seqs)) {
        if (!left) break;
        const isNew = !request.table.length, hit = isNew ? pool.lookUp(request.ids) : [];
        const blocks = isNew ? Math.ceil(request.ids.length / pool.size) : 0;
        const shared = hit.filter(block => pool.refs[block] > 0).length;
        if (blocks - shared > pool.free.length) break;
        const start = hit.length * pool.size || request.cached;
        const need = request.ids.length - start, count = Math.min(need, left);
        if (need > left && parts.length) break;
        if (isNew) {
          pool.share(hit);
          request.table = [...hit, ...pool.take(blocks - hit.length)];
          request.cached = hit.length * pool.size;
          if (hit.length) now.hits[request.name] = hit;
        }
        parts.push({ request, start, count });
        left -= count;
      }
      return parts;
    }

    // One token each, from the left; where a block is missing, the right end gives its own back.
    decode(now) {
      const parts = [], queue = [...this.running], { pool } = this;
      while (queue.length && parts.length < this.config.max_num_seqs) {
        const request = queue.shift();
        if (request.ids.length % pool.size === 1) {
          while (!pool.free.length) {
            const victim = queue.pop() || request;
            this.preempt(victim);
            now.preempted.push(victim.name);
            if (victim === request) return parts;
          }
          request.table.push(...pool.take(1));
        }
        parts.push({ request, start: request.ids.length - 1, count: 1 });
      }
      return parts;
    }

    preempt(request) {
      this.giveBack(request);
      this.running = this.running.filter(other => other !== request);
      this.waiting.unshift(request);
      request.status = "waiting";
    }
    giveBack(request) {
      this.pool.give(request.table);
      request.table = [];
      request.cached = 0;
    }

    plan({ request, start, count }, phase) {
      request.scheduled = count;
      if (phase === "decode" || start + count < request.ids.length) return;
      this.waiting = this.waiting.filter(other => other !== request);
      this.running.push(request);
      request.status = "running";
    }

    // After the model ran: publish what became full, keep the sample or throw it away.
    complete({ request, start, count }) {
      const { size } = this.pool, { name, ids } = request;
      for (let k = Math.floor(start / size); k < Math.floor((start + count) / size); k++)
        this.pool.publish(request.table, k, ids);
      request.cached += count;
      request.scheduled = 0;
      if (start + count < ids.length) return { name, discarded: true };
      ids.push(request.base + 500 + request.kept++);
      this.generating.add(request);
      const finished = request.kept === request.max_tokens;
      if (finished) this.finish(request);
      return { name, produced: true, finished };
    }
    finish(request) {
      this.giveBack(request);
      this.running = this.running.filter(other => other !== request);
      this.generating.delete(request);
      request.status = "finished";
    }

    // Seats up to the cap in which nobody sits who is there (traces/seats.py).
    idle() {
      const present = this.requests.filter(request => request.status !== "finished");
      return Math.max(0, this.config.max_num_seqs - present.length);
    }

    // What the picture shows: after schedule, before the model runs.
    snapshot() {
      const { pool } = this;
      return {
        waiting: this.waiting.map(request => request.name),
        running: this.running.map(request => request.name),
        free: [...pool.free],
        blocks: pool.refs.map((refs, block) => ({
          refs, label: pool.labels[block], findable: pool.findable(block) })),
        requests: this.requests.map(({ name, status, prompt, ids, cached, scheduled, table }) => ({
          name, status, prompt: prompt.length, known: ids.length, cached, scheduled,
          table: [...table] })),
      };
    }
  }

  // How many tokens were computed once more, although their K and V had been in the cache.
  function again(steps) {
    const reached = {};
    let total = 0;
    for (const [name, start, count] of steps.flatMap(step => step.parts)) {
      const end = start + count, before = reached[name] || 0;
      total += Math.max(0, Math.min(end, before) - start);
      reached[name] = Math.max(end, before);
    }
    return total;
  }

  function totals(steps) {
    const first = {}, finish = {}, sum = count => steps.reduce((n, step) => n + count(step), 0);
    for (const step of steps) {
      for (const name of step.produced) first[name] ??= step.index;
      for (const name of step.finished) finish[name] = step.index;
    }
    return { steps: steps.length, pauses: sum(step => step.stalled.length),
      idle: sum(step => step.idle), preemptions: sum(step => step.preempted.length),
      again: again(steps), first, finish };
  }

  // The first request that cannot be served, as Workload.check finds it; null where all can.
  function tooLarge(requests, config) {
    for (const { name, prompt, max_tokens } of requests) {
      const blocks = Math.ceil((prompt.length + max_tokens - 1) / config.block_size);
      if (blocks > config.num_blocks) return { name, blocks };
    }
    return null;
  }

  // {steps, stuck, end: the state after the last event, totals, tooLarge}
  function play(requests, config) {
    const engine = new Engine(requests, config), stuck = engine.play();
    return { steps: engine.steps, stuck, end: engine.snapshot(), totals: totals(engine.steps),
      tooLarge: tooLarge(requests, config) };
  }
  return { play };
})();
