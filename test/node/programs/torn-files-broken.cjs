// expect: violation save
// expect: violation replace
// expect: violation rewrite
// expect: violation exportAll
// expect: violation exportInSteps
// expect: violation persist
// expect: violation viaHandle
// expect: violation fs.writeFile
// A file is empty, and then half there, while it is being written.
const { EventEmitter, once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'torn-'));
const at = (name) => path.join(folder, name);
for (const name of 'abcdefgh') fs.writeFileSync(at(name), 'old');

/** Somebody reads meanwhile. */
async function save() {
  await fs.promises.writeFile(at('a'), 'new');
}
async function load() {
  return fs.readFileSync(at('a'), 'utf8');
}

/** Two at once. */
async function replace(text) {
  await fs.promises.writeFile(at('b'), text);
}

/** Something is added to what is about to be replaced. */
async function rewrite() {
  await fs.promises.writeFile(at('c'), 'new');
}
async function append() {
  await fs.promises.appendFile(at('c'), 'more');
}

/** A stream. */
async function exportAll() {
  const stream = fs.createWriteStream(at('d'));
  stream.end('all');
  await once(stream, 'finish');
}
async function look() {
  return fs.readFileSync(at('d'), 'utf8');
}

/** A stream, with a look at what is there between two writes. */
let isBegun;
const begun = new Promise((resolve) => {
  isBegun = resolve;
});
let isSeen;
const seen = new Promise((resolve) => {
  isSeen = resolve;
});
async function exportInSteps() {
  const stream = fs.createWriteStream(at('h'));
  await new Promise((resolve) => stream.write('{', resolve));
  isBegun();
  await seen;
  stream.end('}');
  await once(stream, 'finish');
}
async function lookBetween() {
  await begun;
  const text = fs.readFileSync(at('h'), 'utf8');
  isSeen();
  return text;
}

/** With callbacks. */
function persist(text, done) {
  fs.writeFile(at('e'), text, (error) => done(error));
}

/** By a handle. */
let open = 2;
let go;
const bothOpen = new Promise((resolve) => {
  go = resolve;
});
async function viaHandle(text) {
  const handle = await fs.promises.open(at('f'), 'r+');
  if (--open === 0) go();
  await bothOpen;
  await handle.writeFile(text);
  await handle.close();
}

/** Outside of every block. */
let left = 2;
const over = () => {
  left--;
  if (left > 0) return;
  fs.rmSync(folder, { recursive: true });
  console.log('written');
};
const saver = new EventEmitter().on('save', (text) => fs.writeFile(at('g'), text, over));

// trackside-ignore-next-line it only starts the others
async function main() {
  await Promise.all([save(), load()]);
  await Promise.all([replace('1'), replace('2')]);
  await Promise.all([rewrite(), append()]);
  await Promise.all([exportAll(), look()]);
  await Promise.all([exportInSteps(), lookBetween()]);
  await Promise.all(['1', '2'].map((text) => new Promise((resolve) => persist(text, resolve))));
  await Promise.all([viaHandle('1'), viaHandle('2')]);
}
main().then(() => {
  saver.emit('save', 'one');
  saver.emit('save', 'two');
});
