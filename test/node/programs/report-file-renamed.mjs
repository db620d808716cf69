// expect: ok
// Each report is made of what is in memory, whatever was in the file that it replaces.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
const path = join(folder, 'report.json');
const lengths = [];
let written = 0;

async function report(text) {
  const before = await readFile(path, 'utf8');
  lengths.push(before.length);
  const temporary = `${path}.${written++}`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

await writeFile(path, 'none');
await Promise.all([report('first'), report('second')]);
await rm(folder, { recursive: true });
