// As broken.mjs, but a visit is counted when the one before it has been.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'counter-'));
const file = join(folder, 'visits.txt');
await writeFile(file, '0');

let lastVisit = Promise.resolve();

async function addOne() {
  const visits = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(visits + 1));
}

function countVisit() {
  lastVisit = lastVisit.then(addOne);
  return lastVisit;
}

await Promise.all(Array.from({ length: 10 }, countVisit));
console.log(`${await readFile(file, 'utf8')} of 10 visits counted`);
await rm(folder, { recursive: true });
