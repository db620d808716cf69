// expect: ok
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'lock-file-'));
const file = path.join(folder, 'lock');
let count = 0;

async function increment() {
  for (;;) {
    // biome-ignore format: what one line does to a file are still several things
    try { await (await fs.open(file, 'wx')).close(); await add(); return await fs.unlink(file); } catch { await null; }
  }
}

async function add() {
  const before = count;
  await null;
  count = before + 1;
}

await Promise.all([increment(), increment()]);
console.log(count);
await fs.rm(folder, { recursive: true });
