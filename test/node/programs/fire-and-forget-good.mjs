// expect: ok
const document = { text: 'a', saved: 0 };
const turn = () => new Promise(setImmediate);

async function save(target) {
  const { text } = target;
  await turn();
  target.saved += text.length;
}

save(document);
document.text = 'bb';
save(document);
for (let i = 0; i < 5; i++) await turn();
console.log(document);
