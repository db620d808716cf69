// expect: ok
let queue = [];
const sent = [];

async function send(items) {
  await null;
  sent.push(...items);
}

async function flush() {
  const batch = queue;
  queue = [];
  await send(batch);
}

async function track(event) {
  await null;
  queue.push(event);
}

queue.push('a');
await Promise.all([flush(), track('b'), track('c')]);
await flush();
console.log(queue, sent);
