// expect: violation save
const document = { text: 'a', version: 1 };
const turn = () => new Promise(setImmediate);

async function save(target) {
  const next = target.version + 1; // (1)
  await turn();
  await turn();
  target.version = next; // (2)
}

const saved = save(document);
document.text = 'b';
await turn();
document.version = 10;
await saved;
console.log(document);
