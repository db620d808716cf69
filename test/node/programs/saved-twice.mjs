// expect: violation type
// The value that is saved the second time is not the one that was saved first.
import { setImmediate as turn } from 'node:timers/promises';

let latest = 0;
const disk = [];

async function write(value) {
  for (let i = 0; i < 3; i++) await turn();
  disk.push(value);
}

async function type(value) {
  latest = value;
  await write('begin');
  const saved = latest;
  await write(saved);
}

await Promise.all([type(1), type(2)]);
