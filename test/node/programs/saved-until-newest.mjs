// expect: ok
// Whoever finds a save going on only leaves the newest value; the one who saves comes back for it.
import { setImmediate as turn } from 'node:timers/promises';

let latest = 0;
let active = null;
const disk = [];

async function write(value) {
  for (let i = 0; i < 3; i++) await turn();
  disk.push(value);
}

function save(value) {
  latest = value;
  active ??= (async () => {
    let saved;
    do {
      saved = latest;
      await write(saved);
    } while (saved !== latest);
    active = null;
  })();
  return active;
}

async function type(...values) {
  for (const value of values) {
    const saving = save(value);
    await turn();
    await saving;
  }
}

await Promise.all([type(1, 2), type(3, 4)]);
