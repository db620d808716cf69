// Three calls a window: the count is read, the clock of another machine is asked, and the count is written.
import { setTimeout as pause } from 'node:timers/promises';

const LIMIT = 3;

async function currentWindow() {
  await pause(2);
  return 'noon';
}

class RateLimiter {
  used = 0;
  window = '';

  async admit() {
    const used = this.used;
    const window = await currentWindow();
    if (window !== this.window) {
      this.window = window;
      this.used = 1;
      return true;
    }
    if (used >= LIMIT) return false;
    this.used = used + 1;
    return true;
  }
}

const limiter = new RateLimiter();
const admitted = await Promise.all(Array.from({ length: 10 }, () => limiter.admit()));
console.log(`${admitted.filter(Boolean).length} of 10 calls admitted, limit ${LIMIT}`);
