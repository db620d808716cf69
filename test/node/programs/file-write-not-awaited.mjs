// expect: violation fs.writeFile
// because: torn-write
// Nobody waits for the write, and so it goes on when its block is over; a log is never all there.
import { createWriteStream } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'notes-'));
const [file, backup, aside] = ['notes', 'backup', 'aside'].map((name) => join(folder, name));
const writing = [];

async function save(notes, path = file) {
  writing.push(writeFile(path, notes.join('\n'))); // (1) (2)
}

async function saveAside(notes) {
  await writeFile(`${aside}.new`, notes.join('\n'));
  await rename(`${aside}.new`, aside);
}

const load = async (path) => (await readFile(path, 'utf8')).length;

await save(['a'], backup);
await Promise.all(writing);
await saveAside(['a']);
await Promise.all([saveAside(['b']), load(aside), load(backup)]);

async function logger(path) {
  const stream = createWriteStream(path);
  return (line) => new Promise((resolve) => stream.write(`${line}\n`, resolve));
}

const log = await logger(join(folder, 'log'));
await Promise.all([log('a'), load(join(folder, 'log')).catch(() => 0), log('b')]);

await writeFile(file, 'a');
await save(['b', 'c']);
await load(file);
await Promise.all(writing);
await cp(folder, `${folder}-copy`, { recursive: true });
await rm(folder, { recursive: true });
await rm(`${folder}-copy`, { recursive: true });
