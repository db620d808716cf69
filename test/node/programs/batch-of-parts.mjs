// expect: violation order
// Waits for several answers of one batch at once.
const stock = { pen: 3, ink: 5 };
let asked = [];

function read(name) {
  return new Promise((resolve) => {
    asked.push([name, resolve]);
    if (asked.length === 1) queueMicrotask(answer);
  });
}

async function answer() {
  const work = asked;
  asked = [];
  await null;
  for (const [name, resolve] of work) resolve(stock[name]);
}

async function order(...names) {
  const left = await Promise.all(names.map((name) => read(name)));
  if (left.some((count) => count < 2)) throw new Error('sold out');
  await null;
  for (const [i, name] of names.entries()) stock[name] = left[i] - 2;
}

async function orderChecked(...names) {
  await Promise.all(names.map((name) => read(name)));
  const left = names.map((name) => stock[name]);
  if (left.some((count) => count < 2)) return;
  for (const [i, name] of names.entries()) stock[name] = left[i] - 2;
}

await Promise.all([order('pen', 'ink'), order('ink', 'pen')]);
await Promise.all([orderChecked('ink'), orderChecked('ink')]);
console.log(stock);
