// read, change, write by ten callers at once. `good` is the same caller behind a promise chain.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { JSONFile, Low } from 'lowdb';

const db = new Low(new JSONFile(path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bug-')), 'db.json')));
db.data = { n: 0 };
await db.write();
async function increment() {
  await db.read();
  const n = db.data.n;
  await null;
  db.data.n = n + 1;
  await db.write();
}
if (process.argv[2] === 'good') {
  for (let i = 0; i < 10; i++) await increment();
} else await Promise.allSettled(Array.from({ length: 10 }, increment));
await db.read();
console.log(`n is ${db.data.n}`);
