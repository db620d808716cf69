// A counter in a file: read, add one, write. Ten at once mostly write the same number.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'counter-'));
const file = join(folder, 'visits.txt');
await writeFile(file, '0');

async function countVisit() {
  const visits = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(visits + 1));
}

await Promise.all(Array.from({ length: 10 }, countVisit));
console.log(`${await readFile(file, 'utf8')} of 10 visits counted`);
await rm(folder, { recursive: true });
