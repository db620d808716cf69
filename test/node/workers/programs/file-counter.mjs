// expect: violation increment
// A file that main and a worker both read and write: the message to main comes between.
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';

async function increment(file, meanwhile) {
  const n = Number(await readFile(file, 'utf8')); // (1)
  await meanwhile();
  await writeFile(file, String(n + 1)); // (2)
}

if (workerData === null) {
  const folder = await mkdtemp(join(tmpdir(), 'counter-'));
  const file = join(folder, 'n');
  await writeFile(file, '0');
  const worker = new Worker(new URL(import.meta.url), { workerData: file });
  await once(worker, 'message');
  await increment(file, async () => {
    worker.postMessage('go');
    await once(worker, 'message');
  });
  console.log(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
} else {
  parentPort.postMessage('ready');
  await once(parentPort, 'message');
  await increment(workerData, async () => {});
  parentPort.postMessage('done');
}
