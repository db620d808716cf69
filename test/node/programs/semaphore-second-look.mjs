// expect: violation Queue.add
// not because: hand-off
// Whoever was woken looks at the number of places again, waits, and goes by that.
import { setImmediate as turn } from 'node:timers/promises';

class Queue {
  running = 0;
  waiting = [];

  async add(work) {
    if (this.running >= 2) await new Promise((resolve) => this.waiting.push(resolve));
    else this.running++;
    const isBusy = this.running > 1;
    await work();
    const next = this.waiting.shift();
    if (next) next();
    else if (isBusy) this.running--;
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
