import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Op } from '../../../src/trace/operation.ts';
import { record } from './support.ts';

/*
 * Random programs of async functions, each called once, whose tasks are known from how they are written: what the
 * runtime finds out while they run has to be the same.
 */

interface Program {
  steps: Step[];
  /** Called by `return f()` at the end. */
  tail: Program | null;
}

type Step =
  | { kind: 'touch' }
  | { kind: 'turn' }
  | { kind: 'await'; called: Program }
  | { kind: 'kept'; called: Program; isAwaited: boolean }
  | { kind: 'all'; called: Program[] }
  | { kind: 'chain'; called: Program };

const { program } = fc.letrec<{ program: Program; step: Step }>((tie) => ({
  program: fc.record(
    {
      steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'p' }),
      tail: fc.option(tie('program'), { depthIdentifier: 'p', maxDepth: 3, freq: 1 }),
    },
    { noNullPrototype: true },
  ),
  step: fc.oneof(
    { depthIdentifier: 'p', maxDepth: 3 },
    fc.constantFrom<Step>({ kind: 'touch' }, { kind: 'turn' }),
    fc.record({ kind: fc.constant('await' as const), called: tie('program') }, { noNullPrototype: true }),
    fc.record(
      { kind: fc.constant('kept' as const), called: tie('program'), isAwaited: fc.boolean() },
      { noNullPrototype: true },
    ),
    fc.record(
      {
        kind: fc.constant('all' as const),
        called: fc.array(tie('program'), { minLength: 1, maxLength: 3 }),
      },
      { noNullPrototype: true },
    ),
    fc.record({ kind: fc.constant('chain' as const), called: tie('program') }, { noNullPrototype: true }),
  ),
}));

/** The text of a program, and what its tasks do. */
class Author {
  readonly text: string[] = [];
  readonly expected: string[] = [];
  #functions = 0;
  #touches = 0;

  /** Writes a function; returns its name. It runs in `task`, or in one of its own if that is null. */
  write({ steps, tail }: Program, task: string | null): string {
    const name = `f${this.#functions++}`;
    const own = task ?? name;
    const body: string[] = [];
    const later: string[] = [];
    for (const step of steps) this.#step(step, own, body, later);
    body.push(...later);
    if (tail !== null) body.push(`return ${this.write(tail, own)}();`);
    this.text.push(`async function ${name}() { ${body.join(' ')} }`);
    return name;
  }

  #step(step: Step, task: string, body: string[], later: string[]): void {
    if (step.kind === 'touch') {
      body.push(this.#touch(task));
    } else if (step.kind === 'turn') {
      body.push('await turn();');
    } else if (step.kind === 'await') {
      body.push(`await ${this.write(step.called, task)}();`);
    } else if (step.kind === 'kept') {
      const name = this.#fork(step.called, task, step.isAwaited);
      body.push(`const p_${name} = ${name}();`);
      if (step.isAwaited) later.push(`await p_${name};`);
    } else if (step.kind === 'all') {
      const names = step.called.map((called) => this.#fork(called, task, true));
      body.push(`await Promise.all([${names.map((name) => `${name}()`).join(', ')}]);`);
    } else {
      const name = this.#fork(step.called, task, true);
      body.push(`await ${name}().then(() => { ${this.#touch('then')} });`);
      this.expected.push(`${task} forks then`, `${task} joins then`);
      if (suspends(step.called)) this.expected.push(`then joins ${name}`);
    }
  }

  #touch(task: string): string {
    const variable = `v${this.#touches++}`;
    this.expected.push(`${task} writes ${variable}`);
    return `s.${variable} = 1;`;
  }

  /** A call that nobody waits for at once; one that is over when it returns is no task. */
  #fork(called: Program, task: string, isJoined: boolean): string {
    if (!suspends(called)) return this.write(called, task);
    const name = this.write(called, null);
    this.expected.push(`${task} forks ${name}`);
    if (isJoined) this.expected.push(`${task} joins ${name}`);
    return name;
  }
}

/** Whether a call returns before it is over. */
function suspends({ steps, tail }: Program): boolean {
  return (
    steps.some((step) => step.kind !== 'touch' && !(step.kind === 'kept' && !step.isAwaited)) ||
    (tail !== null && suspends(tail))
  );
}

const { setImmediate: later } = globalThis;
const world = {
  turn: () => new Promise((resolve) => later(resolve)),
  /** Of which the runtime learns nothing. */
  after: (promise: Promise<unknown>, f: () => unknown) => promise.then(() => later(f)),
};

/** What the tasks of the recorded program do, in the words of the author. */
async function observed(text: string): Promise<string[]> {
  const { trace } = await record(text, world);
  const said: string[] = [];
  const task = (name: string) => name.replace(/#\d+$/, '');
  for (const { thread, op, operand } of trace.events()) {
    if (['reaper', 'touchAll', 'callback', 'callbacks'].includes(task(thread))) continue;
    if (op === Op.write && task(thread) !== 'main')
      said.push(`${task(thread)} writes ${operand.replace('s.', '')}`);
    if (op === Op.fork) said.push(`${task(thread)} forks ${task(operand)}`);
    if (op === Op.join) said.push(`${task(thread)} joins ${task(operand)}`);
  }
  return said.sort();
}

it('finds the tasks that a program is written to have', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (root) => {
      const author = new Author();
      const whole: Program = { steps: [{ kind: 'turn' }, ...root.steps], tail: root.tail };
      const first = author.write(whole, null);
      author.expected.push(`main forks ${first}`);
      // Variables that only one task touches would not be recorded.
      const text = `const s = {};
        ${author.text.join('\n')}
        function touchAll() { for (let i = 0; i < 300; i++) s['v' + i] = 2; }
        module.exports = ${first}();
        after(module.exports, touchAll);`;
      expect(await observed(text)).toEqual(author.expected.sort());
    }),
    {
      seed: Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1),
      numRuns: Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 60),
    },
  );
}, 30_000);
