import { expect, it } from 'vitest';
import { modelOf, type Runtime } from '../../../src/node/runtime/index.ts';
import { record, told } from './support.ts';

const { setImmediate: later } = globalThis;
const turn = () => new Promise((resolve) => later(resolve));

/** A mutex with the methods of async-mutex, and no more. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async runExclusive<T>(section: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await section();
    } finally {
      release();
    }
  }
}

/** A queue with the methods of p-queue, one task at a time. */
class PQueue {
  concurrency = 1;
  #last: Promise<unknown> = Promise.resolve();

  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }
}

it('knows which packages it has a model of', () => {
  expect(modelOf('async-mutex')).toBeDefined();
  expect(modelOf('left-pad')).toBeUndefined();
});

it('takes sections of a mutex for critical ones', async () => {
  const recording = await record(
    `const mutex = new Mutex(); let x = 0;
     async function work() { await mutex.runExclusive(async () => { x = x + 1; await turn(); }); }
     module.exports = Promise.all([work(), work()]);`,
    { turn, Mutex },
    (runtime) => modelOf('async-mutex')?.({ Mutex }, runtime.recorder, runtime.fileWritten),
  );
  expect(told(recording).match(/acq Mutex#1|rel Mutex#1/g)).toEqual([
    'acq Mutex#1',
    'rel Mutex#1',
    'acq Mutex#1',
    'rel Mutex#1',
  ]);
  expect(recording.judged).toEqual([]);
});

it('takes a mutex for held until what acquire gave is called', async () => {
  class Other extends Mutex {}
  Object.defineProperty(Other.prototype, 'acquire', { value: Mutex.prototype.acquire, configurable: true });
  const recording = await record(
    `const mutex = new Other(); let x = 0;
     async function work() { const release = await mutex.acquire(); x = x + 1; await turn(); release(); }
     module.exports = Promise.all([work(), work()]);`,
    { turn, Other },
    (runtime) => modelOf('async-mutex')?.({ Mutex: Other }, runtime.recorder, runtime.fileWritten),
  );
  expect(told(recording)).toMatch(
    /work#1: begin work, acq Mutex#1, .*, rel Mutex#1, end\nwork#2: begin work, acq Mutex#1, .*, rel Mutex#1, end/,
  );
});

it('takes tasks of a queue for critical sections if it runs one at a time', async () => {
  const program = `
    const queue = new PQueue(); queue.concurrency = limit; let x = 0;
    async function work() { await queue.add(async () => { x = x + 1; await turn(); }); }
    module.exports = Promise.all([work(), work()]);`;
  const start = (runtime: Runtime) =>
    modelOf('p-queue')?.({ default: PQueue }, runtime.recorder, runtime.fileWritten);
  const one = await record(program, { turn, PQueue, limit: 1 }, start);
  expect(told(one)).toContain('acq PQueue#1');
  const two = await record(program, { turn, PQueue, limit: 2 });
  expect(told(two)).not.toContain('acq');
});
