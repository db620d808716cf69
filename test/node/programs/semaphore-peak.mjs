// expect: ok
// because: hand-off
// A semaphore whose places are handed on; whoever was woken looks at the number of places as well, to tell it.
import { setImmediate as turn } from 'node:timers/promises';

class Queue {
  running = 0;
  peak = 0;
  waiting = [];

  async add(work) {
    if (this.running >= 2) await new Promise((resolve) => this.waiting.push(resolve));
    else this.running++;
    this.peak = Math.max(this.peak, this.running);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

const queue = new Queue();
await Promise.all(
  [1, 2, 3, 4, 5].map((n) =>
    queue.add(async () => {
      for (let i = 0; i < n; i++) await turn();
    }),
  ),
);
