// Everybody who asks while the first answer is on its way finds the cache empty, and computes it once more.
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
    cache.set(city, await compute(city));
  }
  return cache.get(city);
}

const cities = ['Oslo', 'Rome', 'Oslo', 'Oslo', 'Rome'];
const answers = await Promise.all(cities.map(forecast));
console.log(`${answers.length} answers, computed ${computed} times`);
