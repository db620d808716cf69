// expect: violation Store.set
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

class Store {
  constructor(file) {
    this.file = file;
  }

  async read() {
    return JSON.parse(await readFile(this.file, 'utf8')); // (1)
  }

  async set(key, value) {
    const data = await this.read();
    data[key] = value;
    await bothHere();
    await writeFile(this.file, JSON.stringify(data)); // (2)
  }
}

const waiting = [];

/** Until a second one waits, too: nobody reads while somebody writes. */
function bothHere() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 2) for (const go of waiting) go();
  });
}

const folder = await mkdtemp(join(tmpdir(), 'store-'));
const store = new Store(join(folder, 'data.json'));
await writeFile(store.file, '{}');
await Promise.all([store.set('a', 1), store.set('b', 2)]);
await rm(folder, { recursive: true });
console.log('done');
