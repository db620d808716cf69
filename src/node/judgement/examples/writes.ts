import { program, type RuleExample, STALE } from './program.ts';

/** What was written in several steps. */
export const WRITES: Readonly<Record<string, RuleExample>> = {
  'torn-write': {
    example: program(`
const { readFileSync, promises } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-torn-' + process.pid);
async function save() { await promises.writeFile(path, '[1]'); }
async function load() { readFileSync(path, 'utf8'); }
module.exports = promises.writeFile(path, '[]').then(() => Promise.all([save(), load()]));`),
    twin: program(`
const { readFileSync, promises } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-torn-' + process.pid);
async function save() { await promises.writeFile(path + '.new', '[1]'); await promises.rename(path + '.new', path); }
async function load() { readFileSync(path, 'utf8'); }
module.exports = promises.writeFile(path, '[]').then(() => Promise.all([save(), load()]));`),
  },
  'torn-content': {
    example: program(`
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-example-' + process.pid);
async function save() { writeFileSync(path, '[1'); await turn(); writeFileSync(path, '[1]'); }
async function load() { await null; return readFileSync(path, 'utf8'); }
module.exports = Promise.all([save(), load()]);`),
    twin: program(`
const page = { text: '' };
async function save() { page.text = 'half'; await turn(); page.text = 'whole'; }
async function load() { await null; return page.text; }
module.exports = Promise.all([save(), load()]);`),
  },
  'seen-between': {
    example: program(`
const sync = { busy: false };
async function run() {
  if (sync.busy) return;
  sync.busy = true;
  await turn();
  sync.busy = false;
}
module.exports = Promise.all([run(), run()]);`),
    twin: STALE,
  },
  'overwritten-twice': {
    example: program(`
const view = { state: '' };
async function load(id) {
  view.state = 'loading ' + id;
  await turn();
  view.state = 'done ' + id;
}
module.exports = Promise.all([load(1), load(2)]);`),
    twin: STALE,
  },
};
