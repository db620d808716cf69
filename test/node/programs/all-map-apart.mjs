// expect: ok
const results = [];

async function work(text, index) {
  results[index] = 'pending';
  const words = await Promise.resolve(text.split(' '));
  results[index] = words.length;
}

async function main() {
  const started = results.length;
  await Promise.all(['a b', 'c d e'].map(work));
  results.push(started);
  console.log(results);
}

await main();
