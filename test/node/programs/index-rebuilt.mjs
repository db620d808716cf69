// expect: ok
// expect: warning rebuild
// because: stale-elsewhere
// A helper fills the new index from what was there at the start; what is added meanwhile gets into the old one.
import { setImmediate as turn } from 'node:timers/promises';

const documents = ['a', 'b'];
let index = new Map();

function addTo(target, name) {
  target.set(name, name.length);
}

async function rebuild() {
  const next = new Map();
  for (const name of documents.slice()) {
    addTo(next, name);
    await turn();
  }
  index = next;
}

async function add(name) {
  await null;
  documents.push(name);
  addTo(index, name);
}

await Promise.all([rebuild(), add('c')]);
