// expect: violation Bucket.take
// Whoever finds no token waits as long as one takes, and takes one without another look: others may have had it.
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
    if (this.tokens < 1) {
      await turn();
      now++;
    }
    this.tokens -= 1;
  }
}

const bucket = new Bucket();
await Promise.all([bucket.take(), bucket.take(), bucket.take()]);
