// Measurements that are collected, and written to a file now and then.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '../locks.mjs';
import { temporaryFolder, traffic } from '../traffic.mjs';

const file = join(temporaryFolder(), 'metrics.txt');

class Metrics {
  #pending = [];
  #mutex = new Mutex();

  async #add(name) {
    this.#pending = [...this.#pending, name];
  }

  async #write() {
    if (this.#pending.length === 0) return;
    await appendFile(file, `${this.#pending.join('\n')}\n`);
    this.#pending = [];
  }

  record(name) {
    return this.#mutex.run(() => this.#add(name)); // lock: record -> return this.#add(name);
  }

  flush() {
    return this.#mutex.run(() => this.#write()); // lock: flush -> return this.#write();
  }
}

const metrics = new Metrics();
await writeFile(file, '');
const record = (name) => () => metrics.record(name);
const flush = () => metrics.flush();
await traffic(1200, [record('a'), record('b'), record('c'), record('d'), flush, flush, record('e'), flush]);
await metrics.flush();
console.log((await readFile(file, 'utf8')).split('\n').length - 1, 'measurements written');
