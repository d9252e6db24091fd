// The block pool as traces/state.py and traces/fold.py have it, for the browser's replay.
"use strict";

// All blocks of the cache: who holds them, and what a look-up finds in them.
class Pool {
  constructor(size, count) {
    this.size = size;
    this.free = Array.from({ length: count }, (_, block) => block);  // the next to be taken first
    this.refs = Array(count).fill(0);       // tables that hold the block
    this.labels = Array(count).fill(null);  // of its published hash chain; kept while it is free
    this.chains = new Map();                // "label before|ids" -> label
    this.found = [];                        // label -> the block that a look-up finds, or null
  }
  findable(block) {
    const label = this.labels[block];
    return label !== null && this.found[label] === block;
  }
  // The blocks that these ids hit, from the first on and never the last.
  lookUp(ids) {
    const hit = [];
    let label = null;
    for (let k = 0; k < Math.ceil(ids.length / this.size) - 1; k++) {
      label = this.chains.get(this.key(label, ids, k)) ?? null;
      const block = label === null ? null : this.found[label];
      if (block === null) break;
      hit.push(block);
    }
    return hit;
  }
  key(before, ids, k) {
    return `${before}|${ids.slice(k * this.size, (k + 1) * this.size)}`;
  }
  // Whoever takes a free block overwrites it: what it kept is forgotten.
  take(count) {
    const taken = this.free.splice(0, count);
    for (const block of taken) {
      if (this.findable(block)) this.found[this.labels[block]] = null;
      this.labels[block] = null;
      this.refs[block] = 1;
    }
    return taken;
  }
  share(hit) {
    this.free = this.free.filter(block => !hit.includes(block));
    for (const block of hit) this.refs[block]++;
  }
  // Tail first, so that the beginning of a prompt stays findable longest.
  give(table) {
    for (const block of [...table].reverse())
      if (--this.refs[block] === 0) this.free.push(block);
  }
  // A block became full: the newest copy of a chain is the one that is found.
  publish(table, k, ids) {
    const key = this.key(k ? this.labels[table[k - 1]] : null, ids, k);
    if (!this.chains.has(key)) this.chains.set(key, this.chains.size);
    const label = this.chains.get(key);
    this.labels[table[k]] = label;
    this.found[label] = table[k];
  }
}
