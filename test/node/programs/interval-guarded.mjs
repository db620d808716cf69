// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

let cursor = 0;
let busy = false;
let ticks = 0;

async function fetchFrom(position) {
  await sleep(10);
  return position + 10;
}

async function poll() {
  if (++ticks === 5) clearInterval(timer);
  if (busy) return;
  busy = true;
  try {
    const next = await fetchFrom(cursor);
    cursor = next;
  } finally {
    busy = false;
  }
}

const timer = setInterval(poll, 3);
await sleep(60);
console.log(ticks);
