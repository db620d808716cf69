// expect: violation welcome
const welcomed = new Set();
const sent = [];

async function send(name) {
  await null;
  sent.push(name);
}

async function welcome(name) {
  if (welcomed.has(name)) return; // (1)
  await send(name);
  welcomed.add(name); // (2)
}

await Promise.all([welcome('ann'), welcome('ann')]);
console.log(sent);
