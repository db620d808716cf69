// expect: ok
const welcomed = new Set();
const sent = [];

async function send(name) {
  await null;
  sent.push(name);
}

async function welcome(name) {
  if (welcomed.has(name)) return;
  welcomed.add(name);
  await send(name);
}

await Promise.all([welcome('ann'), welcome('ann'), welcome('bob')]);
console.log(sent);
