// expect: ok
let sum = 0;

async function* numbers(from) {
  for (let i = 0; i < 3; i++) {
    await null;
    yield from + i;
  }
}

async function consume(from) {
  let total = 0;
  for await (const number of numbers(from)) total += number;
  sum += total;
}

await Promise.all([consume(0), consume(10)]);
console.log(sum);
