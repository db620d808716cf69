// expect: violation hit
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'counter-'));
const file = join(folder, 'hits.txt');
await writeFile(file, '0');

async function hit() {
  const hits = Number(await readFile(file, 'utf8')); // (1)
  await writeFile(file, String(hits + 1)); // (2)
}

await Promise.all([hit(), hit(), hit()]);
await rm(folder, { recursive: true });
console.log('done');
