// A semaphore of one, counted by hand, before a thermostat's state.
class Semaphore {
  #permits;
  #queue = [];

  constructor(permits) {
    this.#permits = permits;
  }

  async acquire() {
    if (this.#permits > 0) {
      this.#permits--;
      return;
    }
    await new Promise((resolve) => {
      this.#queue.push(resolve);
    });
  }

  release() {
    const next = this.#queue.shift();
    if (next === undefined) this.#permits++;
    else next();
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const semaphore = new Semaphore(1);
const house = { target: 20, readings: [], heating: false };

async function sense() {
  await sleep(5);
  return 18 + (house.readings.length % 4);
}

async function regulate() {
  await semaphore.acquire(); // lock: regulate
  const { target } = house;
  const now = await sense();
  house.readings = [...house.readings, now];
  house.heating = now < target;
  semaphore.release(); // lock: regulate
}

async function setTarget(degrees) {
  await semaphore.acquire(); // lock: set target
  const before = house.target;
  await sleep(4); // The display blinks.
  house.target = Math.round((before + degrees) / 2);
  house.heating = house.readings.at(-1) < house.target;
  semaphore.release(); // lock: set target
}

const timer = setInterval(() => void regulate(), 50);
setTimeout(() => void setTarget(24), 120);
setTimeout(() => void setTarget(16), 260);
setTimeout(() => void setTarget(22), 330);
setTimeout(() => {
  clearInterval(timer);
  console.log('target', house.target > 10);
}, 480);
