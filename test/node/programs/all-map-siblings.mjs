// expect: violation work
const totals = { words: 0 };

async function work(text) {
  const before = totals.words; // (1)
  const words = await Promise.resolve(text.split(' '));
  totals.words = before + words.length; // (2)
}

async function main() {
  await Promise.all(['a b', 'c d e'].map(work));
  console.log(totals);
}

await main();
