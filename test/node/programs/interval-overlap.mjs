// expect: violation poll
import { setTimeout as sleep } from 'node:timers/promises';

let cursor = 0;
let polls = 0;

async function fetchFrom(position) {
  await sleep(15);
  return position + 10;
}

async function poll() {
  if (++polls === 3) clearInterval(timer);
  const next = await fetchFrom(cursor); // (1)
  cursor = next; // (2)
}

const timer = setInterval(poll, 3);
await sleep(60);
console.log(polls);
