import { MNEMONICS, Op } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { BLOCK_HELPER, type CodeStyle, namedBlock, PAUSE, threadText } from './code.ts';
import { literal } from './literal.ts';
import type { Block, Plan, Step } from './plan.ts';
import { SharedVariables } from './shared-variables.ts';
import { WorkerJoins } from './worker-joins.ts';

/** Each is a thread of the system with a heap of its own; with the main one, as many as a recording can follow. */
const MOST_WORKERS = 63;

/**
 * The program with a worker for each thread. A thread blocks until its turn has come, and hands the turn on when it comes to
 * wait for its next one. That is done on memory of its own, on lines that a recording ignores. What a recording has of
 * `main` is told apart: it makes the workers that nobody forks, and helps where the outcome would depend on timing.
 */
export function workersProgram(plan: Plan): string {
  const { events, threads } = plan;
  if (threads.length > MOST_WORKERS) {
    throw new InputProblem('this trace has too many threads for workers', {
      found: `${threads.length} threads`,
      expected: `up to ${MOST_WORKERS}, or --with tasks`,
    });
  }
  const code = new WorkerCode(plan);
  const style: CodeStyle = {
    deed: (step) => code.deed(step) + code.ending(step.event),
    opening: PAUSE,
    blockText: (block, body) => blockText(block, code.closed(block, body)),
  };
  const threadTexts = threads.map((thread) => threadText(thread, style));
  return `${importsText(plan)}
const memory = isMainThread ? new SharedArrayBuffer(${code.bytes}) : workerData.memory;
${code.arraysText()}
// The turn, who is to help with which event, and how many events have happened; those events.
const steering = isMainThread ? new Int32Array(new SharedArrayBuffer(${4 * (3 + events.length)})) : workerData.steering;
const [TURN, HELP, COUNT] = [0, 1, 2];

const until = (word, value) => {
  // trackside-ignore-next-line turns are not part of the trace
  for (let now; (now = Atomics.load(steering, word)) !== value; ) Atomics.wait(steering, word, now);
};
const set = (word, value) => {
  // trackside-ignore-next-line turns are not part of the trace
  Atomics.store(steering, word, value), Atomics.notify(steering, word);
};

// Event n happens when turn n has come.
const now = { turn: 0 };
// trackside-ignore-next-line turns are not part of the trace
const turn = (n) => {
  handOn();
  until(TURN, n);
  // trackside-ignore-next-line turns are not part of the trace
  now.turn = n, steering[3 + Atomics.add(steering, COUNT, 1)] = n;
};
// trackside-ignore-next-line turns are not part of the trace
const handOn = () => { if (now.turn > 0) set(TURN, now.turn + 1); };

const exits = [];
// trackside-ignore-next-line how workers are kept is not part of the trace
const fork = (n, name) => { exits[n] = once(new Worker(new URL(import.meta.url), { name, workerData: { memory, steering, thread: n } }), 'exit'); };
// trackside-ignore-next-line how workers are kept is not part of the trace
const exit = (n) => exits[n];

${MESSAGES_TEXT}
${BLOCK_HELPER}
${threadTexts.join('\n')}
const threads = [null, ${threads.map(({ number }) => `thread${number}`).join(', ')}];

// The events, to be printed in the order in which they have happened.
const events = [
${events.map(({ thread, op, operand }) => `  ${literal(eventText(thread, op, operand))},\n`).join('')}];

if (isMainThread) {
${code.mainText()}  await Promise.all(exits);
  // trackside-ignore-next-line turns are not part of the trace
  for (const n of steering.subarray(3)) console.log(events[n - 1]);
} else {
  await threads[workerData.thread]();
  handOn();
}
`;
}

const MESSAGES_TEXT = `// Whoever opens a channel hears what is sent from then on: main sends the message once more for each who receives it.
const send = (name) => {
  const channel = new BroadcastChannel(name);
  channel.postMessage(null);
  channel.close();
};
const receive = (name, n) => {
  const channel = new BroadcastChannel(name);
  set(HELP, n);
  while (receiveMessageOnPort(channel) === undefined);
  channel.close();
};
`;

function importsText({ threads }: Plan): string {
  const forks = threads.some(({ blocks }) => blocks.some((block) => block.forks));
  return `import { once } from 'node:events';
import { BroadcastChannel, isMainThread, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
${forks ? "import { atomic } from 'trackside';\n" : ''}`;
}

/** A recording takes a function that makes a worker for no block, unless it is marked as one. */
function blockText(block: Block, body: string): string {
  if (!block.forks) return namedBlock(block, body);
  return `const block${block.number} = () => atomic(${literal(block.label)}, async () => {
${body}});
`;
}

/** What the threads of a program do, with its words of memory. */
class WorkerCode {
  readonly #plan: Plan;
  readonly #variables: SharedVariables;
  readonly #locks: SharedVariables;
  readonly #conditions: SharedVariables;
  readonly #joins: WorkerJoins;
  readonly #endings: ReadonlyMap<number, string>;
  /** What main has to do with an event, by its number. */
  readonly #help = new Map<number, string>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#variables = new SharedVariables('v', plan.variables);
    this.#locks = new SharedVariables('locks', plan.locks);
    this.#conditions = new SharedVariables('conditions', plan.conditions);
    this.#joins = new WorkerJoins(plan);
    this.#endings = this.#joins.endings();
  }

  get bytes(): number {
    return 4 * (this.#variables.count + this.#locks.count + this.#conditions.count);
  }

  arraysText(): string {
    let at = 0;
    const arrays = [
      ['The variables of the trace', 'v', this.#variables],
      ['Its locks', 'locks', this.#locks],
      ['Its conditions', 'conditions', this.#conditions],
    ] as const;
    return arrays
      .filter(([, , { count }]) => count > 0)
      .map(([title, array, { count, legend }]) => {
        const start = 4 * at;
        at += count;
        return `// ${title}: ${legend}\nconst ${array} = new Int32Array(memory, ${start}, ${count});\n`;
      })
      .join('');
  }

  /** What a thread does when the turn of a step has come. */
  deed(step: Step): string {
    switch (step.op) {
      case Op.acquire:
        return `Atomics.compareExchange(locks, ${this.#locks.index(step.lock)}, 0, 1);`;
      case Op.release:
        return `Atomics.store(locks, ${this.#locks.index(step.lock)}, 0);`;
      case Op.fork:
        return `fork(${step.thread.number}, ${literal(step.thread.name)});`;
      case Op.join:
        if (step.thread.last === 0) return `// joins ${literal(step.thread.name)}, which does nothing`;
        if (this.#joins.isByExit(step)) return `await exit(${step.thread.number});`;
        return this.#receive(this.#joins.messageOf(step.thread), step.event);
      case Op.begin:
        return `await block${step.block.number}();`;
      case Op.send:
        return `send(${literal(step.message)});`;
      case Op.receive:
        return this.#receive(step.message, step.event);
      case Op.notify: {
        // Only a notification that somebody has waited for is one.
        const index = this.#conditions.index(step.condition);
        this.#help.set(step.event, `Atomics.wait(conditions, ${index}, 0);`);
        return `set(HELP, ${step.event}); while (Atomics.notify(conditions, ${index}) === 0);`;
      }
      case Op.wait: {
        const index = this.#conditions.index(step.condition);
        this.#help.set(step.event, `while (Atomics.notify(conditions, ${index}) === 0);`);
        return `set(HELP, ${step.event}); Atomics.wait(conditions, ${index}, 0);`;
      }
      default:
        return this.#variables.accessText(step);
    }
  }

  #receive(message: string, event: number): string {
    this.#help.set(event, `send(${literal(message)});`);
    return `receive(${literal(message)}, ${event});`;
  }

  /** What main does: to be asked for after the text of all threads. */
  mainText(): string {
    const forks = this.#plan.threads
      .filter(({ parent }) => parent === null)
      .map(({ number, name }) => `  fork(${number}, ${literal(name)});\n`);
    const help = [...this.#help]
      .sort(([a], [b]) => a - b)
      .map(([event, text]) => {
        const ignored = text.startsWith('send')
          ? ''
          : `  // trackside-ignore-next-line help is not part of the trace\n`;
        return `  until(HELP, ${event});\n${ignored}  ${text}\n`;
      });
    return `${forks.join('')}  set(TURN, 1);\n${help.join('')}`;
  }

  /** The body of a block, up to its end. */
  closed({ end }: Block, body: string): string {
    const ending = this.ending(end);
    return ending === '' ? body : `${body.trimEnd()}${ending}\n`;
  }

  /** What is done in a turn behind all the rest, as more lines. */
  ending(event: number): string {
    const message = this.#endings.get(event);
    return message === undefined ? '' : `\n  send(${literal(message)});`;
  }
}

function eventText(thread: string, op: Op, operand: string): string {
  return `${printable(thread)}|${MNEMONICS[op]}(${printable(operand)})`;
}
