// expect: ok
// Files that nobody comes to while they are being written, or that are there as a whole from one moment to the next.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'whole-'));
const at = (name) => path.join(folder, name);
for (const name of 'abcdef') fs.writeFileSync(at(name), 'old');

/** Beside it, and renamed then. */
let aside = 0;
async function save(text) {
  const other = at(`a.${aside++}`);
  await fs.promises.writeFile(other, text);
  await fs.promises.rename(other, at('a'));
}
async function load() {
  return fs.readFileSync(at('a'), 'utf8');
}

/** One after the other. */
let last = Promise.resolve();
function replace(text) {
  last = last.then(() => fs.promises.writeFile(at('b'), text));
  return last;
}

/** To add something is one step. */
async function append(text) {
  await fs.promises.appendFile(at('c'), text);
}

/** So is what is done at once. */
async function atOnce(text) {
  fs.writeFileSync(at('d'), text);
  await null;
  return fs.readFileSync(at('e'), 'utf8');
}

/** Whether it is there is no matter of what is in it. */
async function create() {
  await fs.promises.writeFile(at('f'), 'new');
}
async function isThere() {
  return fs.existsSync(at('f'));
}

/** A file of its own for everyone. */
async function own(name) {
  await fs.promises.writeFile(at(name), name);
  return fs.promises.readFile(at(name), 'utf8');
}

async function main() {
  await Promise.all([save('1'), load(), save('2'), load()]);
  await Promise.all([replace('1'), replace('2')]);
  await Promise.all([append('1'), append('2')]);
  await Promise.all([atOnce('1'), atOnce('2')]);
  await Promise.all([create(), isThere()]);
  await Promise.all([own('x'), own('y')]);
  fs.rmSync(folder, { recursive: true });
  console.log('written');
}
main();
