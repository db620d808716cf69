// expect: violation flush
const queue = [];
const sent = [];

async function send(items) {
  await null;
  sent.push(...items);
}

async function flush() {
  await send(queue.slice()); // (1)
  queue.length = 0; // (2)
}

async function track(event) {
  await null;
  queue.push(event);
}

queue.push('a');
await Promise.all([flush(), track('b')]);
console.log(queue, sent);
