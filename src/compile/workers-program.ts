import { MNEMONICS, Op } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { literal } from './literal.ts';
import type { Block, Plan, Step, Thread } from './plan.ts';

/** Each is a thread of the system with a heap of its own. */
const MOST_WORKERS = 64;

/** Words of the shared memory: whose turn it is, and how many there have been. */
const CONTROL = 2;

/**
 * The program with a worker for each thread. All memory is one SharedArrayBuffer; its first word says whose turn it
 * is. A thread hands the turn on when it comes to wait for its next one.
 */
export function workersProgram(plan: Plan): string {
  const { events, threads, variables, locks } = plan;
  if (threads.length > MOST_WORKERS) {
    throw new InputProblem('this trace has too many threads for workers', {
      found: `${threads.length} threads`,
      expected: `up to ${MOST_WORKERS}, or --with tasks`,
    });
  }
  const parts = [CONTROL, events.length, threads.length + 1, locks.length, variables.length];
  const [orderAt, endedAt, locksAt, variablesAt, size] = ends(parts);
  const array = (at: number, length: number) => `new Int32Array(memory, ${4 * at}, ${length})`;
  const numbers = { variables: indices(variables), locks: indices(locks) };
  return `import { isMainThread, Worker, workerData } from 'node:worker_threads';

const memory = isMainThread ? new SharedArrayBuffer(${4 * size}) : workerData.memory;
// The turn, and how many events have happened; those events.
const control = ${array(0, CONTROL)};
const order = ${array(orderAt, events.length)};
// Which threads have ended; which locks are held.
const ended = ${array(endedAt, threads.length + 1)};
const locks = ${array(locksAt, locks.length)};
// The variables of the trace: ${variables.map((name, i) => `v[${i}] is ${literal(name)}`).join(', ')}
const v = ${array(variablesAt, variables.length)};

let last = 0;

// Event n happens when turn n has come.
function turn(n) {
  handOn();
  for (let now = Atomics.load(control, 0); now !== n; now = Atomics.load(control, 0)) {
    Atomics.wait(control, 0, now);
  }
  order[Atomics.add(control, 1, 1)] = n;
  last = n;
}

function handOn() {
  if (last === 0) return;
  Atomics.store(control, 0, last + 1);
  Atomics.notify(control, 0);
}

function fork(n) {
  return new Worker(new URL(import.meta.url), { workerData: { memory, thread: n } });
}

function join(n) {
  while (Atomics.load(ended, n) === 0) Atomics.wait(ended, n, 0);
}

function acquire(lock) {
  while (Atomics.compareExchange(locks, lock, 0, 1) !== 0) Atomics.wait(locks, lock, 1);
}

function release(lock) {
  Atomics.store(locks, lock, 0);
  Atomics.notify(locks, lock);
}

const block = (named) => Object.values(named)[0];

${threads.map((thread) => threadText(thread, numbers)).join('\n')}
const threads = [null, ${threads.map(({ number }) => `thread${number}`).join(', ')}];

// The events, to be printed in the order in which they have happened.
const events = [
${events.map(({ thread, op, operand }) => `  ${literal(eventText(thread, op, operand))},\n`).join('')}];

if (isMainThread) {
  control[0] = 1;
  const workers = [${threads.filter(({ isForked }) => !isForked).map(({ number }) => `fork(${number})`)}];
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on('exit', resolve))));
  for (const n of order) console.log(events[n - 1]);
} else {
  threads[workerData.thread]();
  Atomics.store(ended, workerData.thread, 1);
  Atomics.notify(ended, workerData.thread);
  handOn();
}
`;
}

interface Numbers {
  variables: ReadonlyMap<string, number>;
  locks: ReadonlyMap<string, number>;
}

function threadText(thread: Thread, numbers: Numbers): string {
  return `// Thread ${literal(thread.name)}
const thread${thread.number} = () => {
${linesOf(thread.steps, numbers)}};
${thread.blocks.map((block) => blockText(block, numbers)).join('')}`;
}

function blockText({ number, label, steps, end }: Block, numbers: Numbers): string {
  return `const block${number} = block({ ${literal(label)}() {
${linesOf(steps, numbers)}  turn(${end});
} });
`;
}

function linesOf(steps: readonly Step[], numbers: Numbers): string {
  return steps.map((step) => `  turn(${step.event}); ${deedText(step, numbers)}\n`).join('');
}

function deedText(step: Step, { variables, locks }: Numbers): string {
  switch (step.op) {
    case Op.read:
      return `v[${variables.get(step.variable)}];`;
    case Op.write:
      return `v[${variables.get(step.variable)}] = ${step.event};`;
    case Op.update:
      return `Atomics.add(v, ${variables.get(step.variable)}, 1);`;
    case Op.acquire:
      return `acquire(${locks.get(step.lock)});`;
    case Op.release:
      return `release(${locks.get(step.lock)});`;
    case Op.fork:
      return `fork(${step.thread.number});`;
    case Op.join:
      return `join(${step.thread.number});`;
    case Op.begin:
      return `block${step.block.number}();`;
  }
}

function eventText(thread: string, op: Op, operand: string): string {
  return `${printable(thread)}|${MNEMONICS[op]}(${printable(operand)})`;
}

function indices(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, i) => [name, i]));
}

/** Where each of some parts ends, one behind the other. */
function ends(lengths: readonly number[]): number[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return end;
  });
}
