const turn = () => new Promise((resolve) => setImmediate(resolve));
const doc = { version: 1, body: 'x' };
async function edit(text) {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { version, body } = doc;
    await turn();
    if (doc.version !== version) continue;
    doc.body = body + text;
    doc.version = version + 1;
    return;
  }
}
module.exports = Promise.all([edit('a'), edit('b')]);
