// A spool of print jobs in a folder, with a lock file, as programs that share a folder have it.
import { mkdtemp, open, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = await mkdtemp(join(tmpdir(), 'spool-'));
const lockFile = join(folder, 'spool.lock');
const index = join(folder, 'index.json');
await writeFile(index, '{"next":1,"jobs":[]}');

async function takeLock() {
  for (;;) {
    try {
      const handle = await open(lockFile, 'wx');
      await handle.close();
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await sleep(4);
    }
  }
}

const readIndex = async () => JSON.parse(await readFile(index, 'utf8'));
const writeIndex = (content) => writeFile(index, JSON.stringify(content));

async function submit(document) {
  await takeLock(); // lock: submit
  const content = await readIndex();
  content.jobs.push({ id: content.next, document });
  content.next += 1;
  await writeIndex(content);
  await unlink(lockFile); // lock: submit
}

async function printNext() {
  await takeLock(); // lock: print
  const content = await readIndex();
  const job = content.jobs.shift();
  if (job) await writeIndex(content);
  await unlink(lockFile); // lock: print
  return job?.document;
}

const office = async (name, start) => {
  for (let page = 1; page <= 3; page++) {
    await sleep(start + page * 30);
    await submit(`${name} ${page}`);
  }
};
const printer = async () => {
  for (let i = 0; i < 7; i++) {
    await sleep(45);
    await printNext();
  }
};
await Promise.all([office('sales', 0), office('law', 22), printer()]);
console.log('printed');
await rm(folder, { recursive: true });
