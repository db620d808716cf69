#!/usr/bin/env node
/*
 * Two ways to tie a record to an object without changing what the program sees: a private field that a constructor adds to
 * it, and a WeakMap. Nanoseconds for each object, the better of two rounds.
 *
 *   node bench/javascript/stamp.mjs
 */
class Given {
  constructor(object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return object;
  }
}

class Stamp extends Given {
  #record;

  static get(object) {
    return #record in object ? object.#record : undefined;
  }

  static set(object, record) {
    new Stamp(object).#record = record;
  }
}

const WAYS = { 'private field': Stamp, WeakMap: new WeakMap() };
const SHAPES = [
  (x) => ({ x }),
  (x) => ({ a: 1, x }),
  (x) => ({ a: 1, b: 2, x }),
  (x) => Object.assign([x], { x }),
  (x) => Object.assign(() => x, { x }),
];
const make = (i) => SHAPES[i % SHAPES.length](i);

const LOADS = {
  'one object again and again': (way) => {
    const object = make(0);
    way.set(object, {});
    let sum = 0;
    for (let i = 0; i < 5_000_000; i++) if (way.get(object) !== undefined) sum += object.x;
    return [5_000_000, sum];
  },
  'many objects': (way) => {
    const objects = Array.from({ length: 10_000 }, (_, i) => make(i));
    for (const object of objects) way.set(object, {});
    let sum = 0;
    for (let round = 0; round < 100; round++)
      for (const object of objects) if (way.get(object) !== undefined) sum += object.x;
    return [1_000_000, sum];
  },
  'short-lived objects': (way) => {
    let sum = 0;
    for (let i = 0; i < 500_000; i++) {
      const object = make(i);
      way.set(object, { a: 1 });
      if (way.get(object) !== undefined) sum += object.x;
    }
    return [500_000, sum];
  },
  'short-lived Maps': (way) => {
    let sum = 0;
    for (let i = 0; i < 250_000; i++) {
      const map = new Map();
      way.set(map, { a: 1 });
      if (way.get(map) !== undefined) sum += map.size;
    }
    return [250_000, sum];
  },
};

console.log(`| load | ${Object.keys(WAYS).join(' | ')} |\n|---|---|---|`);
for (const [name, load] of Object.entries(LOADS)) {
  const times = Object.values(WAYS).map((way) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 2; round++) {
      const start = performance.now();
      const [count] = load(way);
      best = Math.min(best, ((performance.now() - start) * 1e6) / count);
    }
    return best.toFixed(0);
  });
  console.log(`| ${name} | ${times.join(' | ')} |`);
}
