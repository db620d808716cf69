// expect: ok
// Whoever finds no token takes one all the same, and waits until it is there.
import { setImmediate as turn } from 'node:timers/promises';

let now = 0;

class Bucket {
  tokens = 1;
  filled = 0;

  refill() {
    this.tokens = Math.min(2, this.tokens + now - this.filled);
    this.filled = now;
  }

  async take() {
    this.refill();
    this.tokens -= 1;
    for (let debt = -this.tokens; debt > 0; debt--) {
      await turn();
      now++;
    }
  }
}

const bucket = new Bucket();
await Promise.all([bucket.take(), bucket.take(), bucket.take()]);
