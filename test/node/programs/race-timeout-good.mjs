// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

async function slow(signal) {
  await sleep(5000, undefined, { signal });
  return 'slow';
}

async function withTimeout(work, limit) {
  const controller = new AbortController();
  const stop = new AbortController();
  try {
    return await Promise.race([work(controller.signal), sleep(limit, 'timeout', { signal: stop.signal })]);
  } finally {
    controller.abort();
    stop.abort();
  }
}

const pending = withTimeout((signal) => slow(signal).catch((error) => error.name), 2);
console.log(await pending);
console.log(await withTimeout(async () => 'fast', 20));
