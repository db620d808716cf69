// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The version is counted up, but nobody looks at it.
const doc = { version: 1, text: 'x' };
const transform = async (text) => {
  await turn();
  return `${text}!`;
};
async function edit() {
  const { version, text } = doc;
  const next = await transform(text);
  doc.text = next;
  doc.version = version + 1;
}
module.exports = Promise.all([edit(), edit()]);
