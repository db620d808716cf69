// expect: violation rebuild
// because: torn-write
// A file that was opened for writing is not all there before it is closed.
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'index-'));
const file = join(folder, 'index');

async function rebuild(lines) {
  const handle = await open(file, 'w'); // (1)
  for (const line of lines) await handle.write(`${line}\n`); // (2)
  await handle.close();
}

async function rebuildAside(lines) {
  const handle = await open(`${file}.new`, 'w');
  for (const line of lines) await handle.write(`${line}\n`);
  await handle.close();
  await rename(`${file}.new`, file);
}

async function log(lines) {
  const handle = await open(`${file}.log`, 'w');
  return async () => {
    for (const line of lines) await handle.write(`${line}\n`);
    await handle.close();
  };
}

const has = async (line) => (await readFile(file, 'utf8')).includes(line);

await rebuild(['a', 'b']);
await Promise.all([rebuild(['a', 'b', 'c']), has('b')]);
await Promise.all([rebuildAside(['a', 'b', 'c', 'd']), has('b')]);
const write = await log(['x']);
await Promise.all([write(), readFile(`${file}.log`, 'utf8')]);
console.log(await readFile(file, 'utf8'));
await rm(folder, { recursive: true });
