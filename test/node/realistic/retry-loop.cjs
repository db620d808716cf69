const turn = () => new Promise((resolve) => setImmediate(resolve));
// Optimistic: what was computed is put down only if nothing has changed.
const doc = { version: 1, text: 'x' };
const transform = async (text) => {
  await turn();
  return `${text}!`;
};
async function edit() {
  for (let tries = 0; tries < 5; tries++) {
    const { version, text } = doc;
    const next = await transform(text);
    if (doc.version !== version) continue;
    doc.text = next;
    doc.version = version + 1;
    return true;
  }
  return false;
}
module.exports = Promise.all([edit(), edit()]);
