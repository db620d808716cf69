import { Op } from '../trace/operation.ts';
import { literal, member } from './literal.ts';
import type { Block, Plan, Step, Thread } from './plan.ts';

/*
 * The program with a task for each thread. A turn is a promise, made beforehand, and there is a turn of the event loop
 * between one and the next: all that follows from an event has happened by then, however many microtasks that takes.
 * What is not of the trace itself must leave none in the recording: accesses are ignored, threads are functions that
 * are no blocks, and no function makes a promise, which would be one. Main writes each variable first, so that all of
 * them are shared, as the front end forgets what only one task has touched.
 */
export function tasksProgram(plan: Plan): string {
  const { events, threads, variables, locks } = plan;
  return `import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
${locks.length === 0 ? '' : "import { lock } from 'trackside';\n"}
// The variables of the trace.
const v = Object.create(null);
${variables.map((name) => `${member('v', name)} = 0;\n`).join('')}
// Event n happens when turn n has come.
const turns = [];
const begins = [];
for (let n = 0; n <= ${events.length}; n++) {
  // trackside-ignore-next-line turns are not part of the trace
  turns.push(new Promise((begin) => begins.push(begin)));
}
// trackside-ignore-next-line turns are not part of the trace
const turn = (n) => turns[n];

const started = [];
// trackside-ignore-next-line how threads are kept is not part of the trace
const fork = (n, thread) => { started[n] = thread(); };
// trackside-ignore-next-line how threads are kept is not part of the trace
const ended = (n) => started[n];

// trackside-ignore-next-line how blocks get their names is not part of the trace
const block = (named) => Object.values(named)[0];

${threads.map(threadText).join('\n')}
${threads
  .filter(({ isForked }) => !isForked)
  .map(forkText)
  .map((line) => `${line}\n`)
  .join('')}
for (let n = 1; n <= ${events.length}; n++) {
  // trackside-ignore-next-line turns are not part of the trace
  begins[n]();
  await nextTurnOfEventLoop();
}
console.log(v);
`;
}

function threadText(thread: Thread): string {
  // One that does nothing has to wait for something to be a task.
  const lines = thread.steps.length === 0 ? ['  await null;'] : thread.steps.map(stepText);
  return `// Thread ${literal(thread.name)}
// trackside-ignore-next-line a thread is no block
const thread${thread.number} = async () => {
${lines.join('\n')}
};
${thread.blocks.map(blockText).join('')}`;
}

function blockText({ number, label, steps, end }: Block): string {
  return `const block${number} = block({ async ${literal(label)}() {
${steps.map((step) => `${stepText(step)}\n`).join('')}  await turn(${end});
} });
`;
}

function stepText(step: Step): string {
  return `  await turn(${step.event}); ${deedText(step)}`;
}

function deedText(step: Step): string {
  switch (step.op) {
    case Op.read:
      return `${member('v', step.variable)};`;
    case Op.write:
      return `${member('v', step.variable)} = ${step.event};`;
    case Op.update:
      return `${member('v', step.variable)} += 1;`;
    case Op.acquire:
      return `lock(${literal(step.lock)}, () => turn(${step.release}));`;
    case Op.release:
      return `// releases ${literal(step.lock)}`;
    case Op.fork:
      return forkText(step.thread);
    case Op.join:
      return `await ended(${step.thread.number});`;
    case Op.begin:
      return `await block${step.block.number}();`;
  }
}

function forkText({ number }: Thread): string {
  return `fork(${number}, thread${number});`;
}
