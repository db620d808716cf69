import { Op } from '../trace/operation.ts';
import { BLOCK_HELPER, type CodeStyle, namedBlock, threadText } from './code.ts';
import { literal, member } from './literal.ts';
import type { AccessStep, Plan, Step, Thread } from './plan.ts';
import { SharedVariables } from './shared-variables.ts';

/*
 * The program with a task for each thread. A turn is a promise, made beforehand, and there is a turn of the event loop
 * between one and the next: all that follows from an event has happened by then, however many microtasks that takes.
 * What is not of the trace itself must leave none in the recording: accesses are ignored, threads are functions that
 * are no blocks, and no function makes a promise, which would be one. Main writes each variable first, so that all of
 * them are shared, as the front end forgets what only one task has touched.
 */
export function tasksProgram(plan: Plan): string {
  const { events, threads, variables, volatiles, locks } = plan;
  const shared = new SharedVariables('shared', volatiles);
  const style: CodeStyle = { deed: (step) => deedText(step, shared), opening: '', blockText: namedBlock };
  const plain = variables.filter((name) => !volatiles.has(name));
  return `import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
${locks.length === 0 ? '' : "import { lock } from 'trackside';\n"}
// The variables of the trace.
const v = Object.create(null);
${plain.map((name) => `${member('v', name)} = 0;\n`).join('')}${sharedText(shared)}
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

${BLOCK_HELPER}
${threads.map((thread) => threadText(thread, style)).join('\n')}
${threads
  .filter(({ parent }) => parent === null)
  .map(forkText)
  .map((line) => `${line}\n`)
  .join('')}
for (let n = 1; n <= ${events.length}; n++) {
  begins[n]();
  await nextTurnOfEventLoop();
}
console.log(v);
`;
}

/** Only shared memory has volatile accesses. */
function sharedText(shared: SharedVariables): string {
  if (shared.count === 0) return '';
  return `// Those that are volatile: ${shared.legend}
const shared = new Int32Array(new SharedArrayBuffer(${4 * shared.count}));
`;
}

function deedText(step: Step, shared: SharedVariables): string {
  switch (step.op) {
    case Op.read:
    case Op.write:
    case Op.update:
    case Op.volatileRead:
    case Op.volatileWrite:
    case Op.volatileUpdate:
      return shared.has(step.variable) ? shared.accessText(step) : plainAccess(step);
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
    default:
      throw new Error('tasks of one thread neither send messages nor wait for each other');
  }
}

function plainAccess({ op, event, variable }: AccessStep): string {
  const text = member('v', variable);
  if (op === Op.read) return `${text};`;
  return op === Op.write ? `${text} = ${event};` : `${text} += 1;`;
}

function forkText({ number }: Thread): string {
  return `fork(${number}, thread${number});`;
}
