// expect: ok
// The same, one after the other.
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';

async function increment(file) {
  const n = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(n + 1));
}

if (workerData === null) {
  const folder = await mkdtemp(join(tmpdir(), 'counter-'));
  const file = join(folder, 'n');
  await writeFile(file, '0');
  const worker = new Worker(new URL(import.meta.url), { workerData: file });
  await increment(file);
  worker.postMessage('go');
  await once(worker, 'message');
  await increment(file);
  console.log(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
} else {
  await once(parentPort, 'message');
  await increment(workerData);
  parentPort.postMessage('done');
}
