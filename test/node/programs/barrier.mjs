// expect: ok
class Barrier {
  #count = 0;
  #waiting = [];

  constructor(size) {
    this.size = size;
  }

  async arrive() {
    this.#count++;
    if (this.#count === this.size) {
      this.#count = 0;
      for (const go of this.#waiting.splice(0)) go();
      return;
    }
    await new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const barrier = new Barrier(3);
const phases = [];

async function worker(name) {
  for (let phase = 0; phase < 2; phase++) {
    await null;
    phases.push(phase);
    await barrier.arrive();
  }
  return name;
}

console.log(await Promise.all(['a', 'b', 'c'].map((name) => worker(name))), phases);
