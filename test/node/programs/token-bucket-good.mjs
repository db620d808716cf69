// expect: ok
class RateLimiter {
  tokens = 1;
  #refill = setInterval(() => {
    this.tokens = 1;
  }, 2);

  async take() {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    await this.audit('take');
    return true;
  }

  async audit(what) {
    await what;
  }

  close() {
    clearInterval(this.#refill);
  }
}

const limiter = new RateLimiter();
console.log(await Promise.all([limiter.take(), limiter.take()]));
await new Promise((resolve) => setTimeout(resolve, 8));
console.log(await Promise.all([limiter.take(), limiter.take()]));
limiter.close();
