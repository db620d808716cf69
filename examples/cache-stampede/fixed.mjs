// As broken.mjs, but what is kept is the promise: it is there before anybody else can ask.
import { setTimeout as pause } from 'node:timers/promises';

const cache = new Map();
let computed = 0;

async function compute(city) {
  computed++;
  await pause(5);
  return { city, degrees: city.length };
}

async function forecast(city) {
  if (!cache.has(city)) {
    cache.set(city, compute(city));
  }
  return cache.get(city);
}

const cities = ['Oslo', 'Rome', 'Oslo', 'Oslo', 'Rome'];
const answers = await Promise.all(cities.map(forecast));
console.log(`${answers.length} answers, computed ${computed} times`);
