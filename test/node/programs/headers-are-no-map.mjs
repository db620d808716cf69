// expect: ok
// Headers have `get` and `set` as a Map has, but are none.
const headers = new Headers({ accept: 'text/html' });

async function accepted() {
  const before = headers.get('accept');
  await null;
  return before;
}

async function refuse() {
  await null;
  headers.set('accept', 'none');
}

console.log((await Promise.all([accepted(), refuse()]))[0]);
