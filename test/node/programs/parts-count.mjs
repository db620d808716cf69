// expect: ok
const progress = { done: 0, bytes: 0 };

async function download(sizes) {
  for (const size of sizes) {
    await new Promise(setImmediate);
    progress.done++;
    progress.bytes += size;
  }
}

async function main() {
  for (let round = 0; round < 3; round++) {
    console.log(round, progress.done, progress.bytes);
    await Promise.all([download([1, 2, 3]), download([4, 5])]);
  }
}

await main();
