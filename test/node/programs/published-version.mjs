// expect: warning publish
// because: stale-elsewhere
// What was read is put somewhere else after others have changed it: the one who publishes marks an old version, and shows the new text.
const turn = () => new Promise((resolve) => setImmediate(resolve));

const pages = new Map([['home', { version: 1, text: 'one', published: 0 }]]);

async function edit(id, text) {
  await null;
  const page = pages.get(id);
  page.text = text;
  page.version++;
}

async function publish(id) {
  const page = pages.get(id);
  const { version } = page;
  await turn();
  page.published = version;
  return `${page.text} (${page.version})`;
}

async function publishAsItIs(id) {
  const page = pages.get(id);
  const { version } = page;
  await turn();
  page.published = page.version;
  return `${version}, ${page.version}`;
}

await Promise.all([publish('home'), publish('home'), edit('home', 'two')]);
await Promise.all([publishAsItIs('home'), publishAsItIs('home'), edit('home', 'three')]);
console.log(pages.get('home'));
