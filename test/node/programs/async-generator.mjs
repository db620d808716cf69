// expect: violation consume
let sum = 0;

async function* numbers(from) {
  for (let i = 0; i < 3; i++) {
    await null;
    yield from + i;
  }
}

async function consume(from) {
  let total = sum; // (1)
  for await (const number of numbers(from)) total += number;
  sum = total; // (2)
}

await Promise.all([consume(0), consume(10)]);
console.log(sum);
