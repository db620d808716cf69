// expect: ok
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-file-'));
const file = path.join(folder, 'lock');
let count = 0;

async function increment() {
  for (;;) {
    // biome-ignore format: what one line does to a file are still several things
    try { fs.closeSync(fs.openSync(file, 'wx')); await add(); return fs.unlinkSync(file); } catch { await null; }
  }
}

async function add() {
  const before = count;
  await null;
  count = before + 1;
}

await Promise.all([increment(), increment()]);
console.log(count);
fs.rmSync(folder, { recursive: true });
