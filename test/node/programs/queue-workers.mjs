// expect: ok
const queue = [1, 2, 3, 4, 5, 6];
const results = [];

async function process(job) {
  await new Promise(setImmediate);
  return job * job;
}

async function worker() {
  for (;;) {
    const job = queue.shift();
    if (job === undefined) return;
    results.push(await process(job));
    if (job === 2) queue.push(7);
  }
}

await Promise.all(Array.from({ length: 3 }, worker));
console.log(results.toSorted((a, b) => a - b));
