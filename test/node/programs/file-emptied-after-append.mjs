// expect: violation ship
// What was added since the file was read goes with the rest.
import { appendFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'log-'));
const log = join(folder, 'app.log');
const shipped = [];

async function ship(begun, sent) {
  const text = await readFile(log, 'utf8'); // (1)
  begun();
  shipped.push(...text.split('\n').filter(Boolean));
  await sent;
  await truncate(log, 0); // (2)
}

async function shipAside(begun, sent) {
  await rename(log, `${log}.1`);
  begun();
  await sent;
  shipped.push(...(await readFile(`${log}.1`, 'utf8')).split('\n').filter(Boolean));
  await rm(`${log}.1`);
}

const write = (line) => appendFile(log, `${line}\n`);

function latch() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

for (const send of [ship, shipAside]) {
  await writeFile(log, 'one\n');
  const [begun, sent] = [latch(), latch()];
  const sending = send(begun.open, sent.opened);
  await begun.opened;
  await write('two');
  sent.open();
  await sending;
}
console.log(shipped);
await rm(folder, { recursive: true });
