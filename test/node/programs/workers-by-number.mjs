// expect: ok
// Each worker takes the next number in one step, and looks at that one before it goes on.
import { setImmediate as turn } from 'node:timers/promises';

const jobs = ['a', 'b', 'c', 'd'];
const done = [];
let next = 0;

async function worker() {
  for (let i = next++; i < jobs.length; i = next++) {
    await turn();
    done.push(jobs[i]);
  }
}

await Promise.all([worker(), worker()]);
