// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Who is woken goes on without looking whether the place is still there.
class Semaphore {
  active = 0;
  waiting = [];
  async acquire() {
    if (this.active >= 1) await new Promise((resolve) => this.waiting.push(resolve));
    this.active++;
  }
  release() {
    this.active--;
    this.waiting.shift()?.();
  }
}
const semaphore = new Semaphore();
async function work() {
  for (let i = 0; i < 2; i++) {
    await semaphore.acquire();
    await turn();
    semaphore.release();
  }
}
module.exports = Promise.all([work(), work()]);
