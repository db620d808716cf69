// expect: violation worker
// The loop has looked whether there is a job left, and takes the next one only after it has waited.
import { setImmediate as turn } from 'node:timers/promises';

const jobs = ['a', 'b', 'c'];
const done = [];
let next = 0;

async function worker() {
  while (next < jobs.length) {
    await turn();
    const i = next++;
    done.push(jobs[i].toUpperCase());
  }
}

await Promise.allSettled([worker(), worker()]);
