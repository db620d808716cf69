// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

const controller = new AbortController();
let cleaned = 0;

async function work(name) {
  try {
    await sleep(1000, name, { signal: controller.signal });
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
    return `${name} aborted`;
  } finally {
    cleaned++;
  }
}

const both = Promise.all([work('a'), work('b')]);
controller.signal.addEventListener('abort', () => console.log('abort'));
controller.abort();
console.log(await both, cleaned);
