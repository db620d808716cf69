// because: overwritten
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The query is kept in one place for all calls.
const search = { text: '', results: [] };
const ask = async () => {
  await turn();
};
async function type(text) {
  search.text = text;
  await ask();
  search.results = [search.text];
  return search.text;
}
module.exports = Promise.all([type('a'), type('ab')]);
