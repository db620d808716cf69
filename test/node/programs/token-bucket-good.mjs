// expect: ok
class RateLimiter {
  tokens = 1;

  refill() {
    this.tokens = 1;
  }

  async take() {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    await this.audit('take');
    return true;
  }

  async audit(what) {
    await what;
  }
}

const limiter = new RateLimiter();
const first = Promise.all([limiter.take(), limiter.take()]);
setTimeout(() => limiter.refill(), 1);
console.log(await first);
await new Promise((resolve) => setTimeout(resolve, 20));
console.log(await Promise.all([limiter.take(), limiter.take()]));
