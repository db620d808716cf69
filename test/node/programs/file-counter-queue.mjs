// expect: ok
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'counter-'));
const file = join(folder, 'hits.txt');
await writeFile(file, '0');
let queue = Promise.resolve();

async function increment() {
  const hits = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(hits + 1));
}

function hit() {
  queue = queue.then(increment);
  return queue;
}

await Promise.all([hit(), hit(), hit()]);
console.log(await readFile(file, 'utf8'));
await rm(folder, { recursive: true });
