// expect: ok
// Whoever is done looks for itself in the list and takes itself out at once; those behind it move up.
import { setImmediate as turn } from 'node:timers/promises';

const running = [];

function finish(worker) {
  const index = running.indexOf(worker);
  if (index === 0) running.shift();
  else if (index > 0) running.splice(index, 1);
}

async function work(turns) {
  const worker = { turns };
  running.push(worker);
  for (let i = 0; i < turns; i++) await turn();
  finish(worker);
  // The next one in the same call.
  const next = { turns };
  running.push(next);
  await turn();
  finish(next);
}

await Promise.all([3, 1, 2, 1, 4].map(work));
console.log(running.length);
