// needs: navigator.locks
// A draft that is saved by itself, as in a browser's tab, under Web Locks.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const draft = { text: '', revision: 0 };
const server = { text: '', revision: 0 };

async function saveNow() {
  const { text, revision } = draft;
  await sleep(5);
  server.text = text;
  server.revision = revision + 1;
  draft.revision = server.revision;
}

async function mergeNow(addition) {
  const { revision } = draft;
  await sleep(4);
  draft.text = `${server.text}${addition}`;
  draft.revision = revision + 1;
}

function save() {
  return navigator.locks.request('draft', saveNow); // lock: save -> return saveNow();
}

function merge(addition) {
  return navigator.locks.request('draft', () => mergeNow(addition)); // lock: merge -> return mergeNow(addition);
}

const timer = setInterval(save, 45);
await Promise.all([
  sleep(30).then(() => merge('a')),
  sleep(110).then(() => merge('b')),
  sleep(190).then(() => merge('c')),
]);
await sleep(60);
clearInterval(timer);
await sleep(20);
console.log('saved', server.revision > 0);
