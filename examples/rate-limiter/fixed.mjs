// As broken.mjs, but the count is read after the wait, and written at once.
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
    const window = await currentWindow();
    if (window !== this.window) {
      this.window = window;
      this.used = 0;
    }
    if (this.used >= LIMIT) return false;
    this.used++;
    return true;
  }
}

const limiter = new RateLimiter();
const admitted = await Promise.all(Array.from({ length: 10 }, () => limiter.admit()));
console.log(`${admitted.filter(Boolean).length} of 10 calls admitted, limit ${LIMIT}`);
