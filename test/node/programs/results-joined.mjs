// expect: ok
const sums = { left: 0, right: 0, all: 0 };

async function sum(side, numbers) {
  for (const n of numbers) {
    const before = sums[side];
    await null;
    sums[side] = before + n;
  }
}

async function main() {
  sums.all = -1;
  await Promise.all([sum('left', [1, 2]), sum('right', [3, 4])]);
  sums.all = sums.left + sums.right;
  const late = sum('left', [5]);
  await late;
  sums.left++;
  console.log(sums);
}

await main();
