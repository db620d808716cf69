// expect: ok
// What is left is counted down by everyone, and set anew by whoever has the say.
const turn = () => new Promise((resolve) => setImmediate(resolve));
const settings = { left: 10 };

async function take(weight) {
  settings.left -= weight;
  await turn();
  return settings.left > 0;
}

async function refill(amount) {
  settings.left = amount;
}

console.log(await Promise.all([take(1), refill(20), take(2)]), settings.left);
