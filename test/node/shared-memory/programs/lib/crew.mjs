import vm from 'node:vm';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/*
 * Two threads that take turns. They do so by functions of another realm, of which the tool sees nothing: the
 * interleaving is certain, and no order of the trace comes of it.
 */
const { add, load, notify, wait } = vm.runInNewContext('Atomics');

/** Which of the two this is; 0 is the program itself, which waits for them. */
export const me = isMainThread ? 0 : workerData.me;

/** Memory for the programs to share. */
export const shared = isMainThread ? new SharedArrayBuffer(64) : workerData.shared;

const turns = isMainThread ? new SharedArrayBuffer(4) : workerData.turns;
const turn = new Int32Array(turns);

/** Starts the threads; the returned promise is fulfilled when both are over. */
export function start(url, more = {}) {
  const over = [1, 2].map((number) => {
    const worker = new Worker(new URL(url), { workerData: { me: number, shared, turns, ...more } });
    return new Promise((resolve) => worker.on('exit', resolve));
  });
  return Promise.all(over);
}

/** Ends a step. */
export function done() {
  add(turn, 0, 1);
  notify(turn, 0);
}

/** Waits until so many steps have ended. */
export function after(steps) {
  for (let now = load(turn, 0); now < steps; now = load(turn, 0)) wait(turn, 0, now);
}
