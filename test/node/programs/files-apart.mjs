// expect: ok
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'files-'));
const log = join(folder, 'log.txt');

async function store(name, text) {
  const file = join(folder, `${name}.txt`);
  await writeFile(`${file}.tmp`, text);
  await rename(`${file}.tmp`, file);
  await appendFile(log, 'x');
  return (await readFile(file, 'utf8')).length;
}

console.log(await Promise.all([store('a', 'one'), store('b', 'three')]));
console.log(await readFile(log, 'utf8'));
await rm(folder, { recursive: true });
