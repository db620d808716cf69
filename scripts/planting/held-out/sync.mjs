// A poller that syncs a mirror; a busy flag keeps it from running twice, and an edit waits for its turn.
import { EventEmitter, once } from 'node:events';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Mirror extends EventEmitter {
  busy = false;
  cursor = 0;
  items = [];

  async fetchSince(cursor) {
    await sleep(6);
    return [cursor + 1, cursor + 2];
  }

  async pull() {
    if (this.busy) return; // lock: pull
    this.busy = true; // lock: pull
    const fresh = await this.fetchSince(this.cursor);
    this.items.push(...fresh);
    this.cursor = fresh.at(-1);
    this.busy = false; // lock: pull
    this.emit('idle'); // lock: pull
  }

  async compact() {
    while (this.busy) await once(this, 'idle'); // lock: compact
    this.busy = true; // lock: compact
    const { items } = this;
    await sleep(5);
    this.items = items.filter((item) => item % 2 === 0);
    this.busy = false; // lock: compact
    this.emit('idle'); // lock: compact
  }
}

const mirror = new Mirror();
const poll = setInterval(() => mirror.pull(), 40);
setTimeout(() => mirror.pull(), 95);
setTimeout(() => mirror.compact(), 150);
setTimeout(() => mirror.compact(), 250);
setTimeout(() => {
  clearInterval(poll);
  console.log('in order', mirror.items.length > 0);
}, 400);
