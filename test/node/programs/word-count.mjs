// expect: ok
const counts = new Map();
const plain = {};

async function count(text) {
  for (const word of text.split(' ')) {
    await null;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    plain[word] = (plain[word] || 0) + 1;
  }
}

await Promise.all([count('a b a'), count('b a c')]);
console.log(counts, plain);
