// A journal on a disk: entries are appended at an offset, and it is compacted from time to time.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Lock } from '../locks.mjs';
import { temporaryFolder, traffic } from '../traffic.mjs';

const file = await open(join(temporaryFolder(), 'journal'), 'w+');
const lock = new Lock();
let end = 0;
let entries = 0;

async function append(text) {
  const release = await lock.acquire(); // lock: append
  try {
    const start = end;
    await file.write(`${text}\n`, start);
    end = start + text.length + 1;
    entries++;
  } finally {
    release(); // lock: append
  }
}

async function compact() {
  const release = await lock.acquire(); // lock: compact
  try {
    const kept = Math.floor(end / 2);
    await file.truncate(kept);
    end = kept;
  } finally {
    release(); // lock: compact
  }
}

await traffic(
  1200,
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((text) => () => append(text)).concat(compact),
);
await file.close();
console.log(entries, 'entries');
