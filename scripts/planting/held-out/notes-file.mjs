// Notes in one JSON file; p-limit(1) keeps the writers apart.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

const folder = await mkdtemp(join(tmpdir(), 'notes-'));
const file = join(folder, 'notes.json');
const limit = pLimit(1);

const load = async () => JSON.parse(await readFile(file, 'utf8'));
const save = (notes) => writeFile(file, JSON.stringify(notes));

async function addNow(text) {
  const notes = await load();
  notes.push({ id: notes.length + 1, text });
  await save(notes);
}

async function editNow(id, text) {
  const notes = await load();
  const note = notes.find((each) => each.id === id);
  if (note) note.text = text;
  await save(notes);
}

const add = (text) => limit(() => addNow(text)); // lock: add -> const add = (text) => addNow(text);
const edit = (id, text) => limit(() => editNow(id, text)); // lock: edit -> const edit = (id, text) => editNow(id, text);

await save([]);
await add('first');
const users = [];
for (let i = 0; i < 6; i++) {
  users.push(
    sleep(40 * i + 5).then(async () => {
      await add(`note ${i}`);
      await sleep(25);
      await edit(1, `edited by ${i}`);
    }),
  );
}
await Promise.all(users);
console.log('notes:', (await load()).length <= 7);
await rm(folder, { recursive: true });
