// A board of jobs that several machines take from.
import { JobQueue } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const board = { open: ['a', 'b', 'c', 'd', 'e'], running: 0, done: 0, failed: [] };
const queue = new JobQueue();

async function take() {
  const [job, ...others] = board.open;
  if (job === undefined) return null;
  await pause(1); // The other side confirms.
  board.open = others;
  return job;
}

async function countDone() {
  const done = board.done;
  await pause(1);
  board.done = done + 1;
}

async function putBack() {
  const again = board.failed;
  if (again.length === 0) return;
  await pause(1);
  board.open = [...board.open, ...again];
  board.failed = [];
}

async function claim() {
  return queue.add(() => take()); // lock: claim -> return take();
}

async function complete() {
  await queue.add(() => countDone()); // lock: complete -> await countDone();
}

async function retry() {
  await queue.add(() => putBack()); // lock: retry -> await putBack();
}

async function work() {
  await claim();
  await pause(5);
  await complete();
}

async function noteFailed(job) {
  board.failed = [...board.failed, job];
}

async function fail() {
  const job = await claim();
  await pause(3);
  if (job === null) return;
  await queue.add(() => noteFailed(job)); // lock: fail -> await noteFailed(job);
}

await traffic(1800, [work, fail, work, fail, retry, work, fail, retry, work, fail, retry]);
console.log(board.done, 'done');
