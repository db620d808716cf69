// expect: violation update
// What is written to a file of its own is put into the place of what was read before.
import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
const path = join(folder, 'data.json');
let written = 0;

async function write(data) {
  const temporary = `${path}.${written++}`;
  const file = await open(temporary, 'w');
  await file.writeFile(JSON.stringify(data));
  await file.close();
  await rename(temporary, path);
}

async function update() {
  const data = JSON.parse(await readFile(path, 'utf8'));
  data.visits++;
  await write(data);
}

await writeFile(path, '{"visits":0}');
await Promise.all([update(), update()]);
await rm(folder, { recursive: true });
