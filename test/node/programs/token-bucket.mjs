// expect: violation RateLimiter.take
class RateLimiter {
  tokens = 1;

  async take() {
    if (this.tokens < 1) return false; // (1)
    await this.audit('take');
    this.tokens -= 1; // (2)
    return true;
  }

  async audit(what) {
    await what;
  }
}

const limiter = new RateLimiter();
console.log(await Promise.all([limiter.take(), limiter.take()]), limiter.tokens);
