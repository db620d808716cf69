// expect: ok
import { readFile } from 'node:fs/promises';

const locks = new Map();
function acquire(id) {
  // as @tus/server's MemoryLocker does: polls by setImmediate
  if (!locks.has(id)) {
    locks.set(id, true);
    return Promise.resolve();
  }
  return new Promise((resolve) => setImmediate(() => acquire(id).then(resolve)));
}
const state = { n: 0 };
async function patch() {
  await acquire('a');
  try {
    const { n } = state;
    await readFile(new URL(import.meta.url));
    state.n = n + 1;
  } finally {
    locks.delete('a');
  }
}
await Promise.all([patch(), patch(), patch(), patch()]);
console.log(state.n);
