// expect: ok
// A helper is given what was there at the start, but does not put it into the new index.
import { setImmediate as turn } from 'node:timers/promises';

const documents = ['a', 'b'];
const shown = [];
let index = new Map();

function show(_target, name) {
  shown.push(name);
}

async function clear() {
  const next = new Map();
  for (const name of documents.slice()) {
    show(next, name);
    await turn();
  }
  index = next;
}

async function add(name) {
  await null;
  documents.push(name);
  index.set(name, name.length);
}

await Promise.all([clear(), add('c')]);
