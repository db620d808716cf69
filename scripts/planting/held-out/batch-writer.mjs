// Log lines are gathered and written in batches; a flag and a promise keep flushes apart.
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = await mkdtemp(join(tmpdir(), 'batch-'));

class BatchWriter {
  lines = [];
  flushing = Promise.resolve();
  written = 0;

  constructor(path) {
    this.path = path;
  }

  log(line) {
    this.lines.push(line);
    if (this.lines.length >= 3) void this.flush();
  }

  async writeOut() {
    const batch = [...this.lines];
    if (batch.length === 0) return;
    await appendFile(this.path, `${batch.join('\n')}\n`);
    this.lines = this.lines.slice(batch.length);
    this.written += batch.length;
  }

  async rotateNow() {
    const { size } = await stat(this.path);
    if (size < 10) return;
    const text = await readFile(this.path, 'utf8');
    await writeFile(`${this.path}.1`, text);
    await writeFile(this.path, '');
  }

  flush() {
    this.flushing = this.flushing.then(() => this.writeOut()); // lock: flush -> return this.writeOut();
    return this.flushing; // lock: flush
  }

  rotate() {
    this.flushing = this.flushing.then(() => this.rotateNow()); // lock: rotate -> return this.rotateNow();
    return this.flushing; // lock: rotate
  }
}

const writer = new BatchWriter(join(folder, 'app.log'));
await writeFile(writer.path, '');
const timer = setInterval(() => writer.flush(), 50);
const source = async (name, gap) => {
  for (let i = 0; i < 8; i++) {
    await sleep(gap);
    writer.log(`${name} ${i}`);
  }
};
const rotator = async () => {
  for (let i = 0; i < 3; i++) {
    await sleep(90);
    await writer.rotate();
  }
};
await Promise.all([source('a', 30), source('b', 37), rotator()]);
clearInterval(timer);
await writer.flush();
console.log('written', writer.written > 0);
await rm(folder, { recursive: true });
