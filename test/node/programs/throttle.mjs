// expect: violation Throttle.run
class Throttle {
  last = -1;

  async run(now, work) {
    if (now - this.last < 1) return 'skipped'; // (1)
    const result = await work();
    this.last = now; // (2)
    return result;
  }
}

const throttle = new Throttle();
const work = async () => {
  await null;
  return 'done';
};
console.log(await Promise.all([throttle.run(0, work), throttle.run(0.5, work)]));
