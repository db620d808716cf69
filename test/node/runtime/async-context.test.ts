import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AsyncContext, makeAsyncContext } from '../../../src/node/runtime/async-context.ts';

interface Store {
  readonly number: number;
}

type Context = Pick<AsyncContext<Store>, 'getStore' | 'enterWith' | 'run'>;

/** What a step of a program does, by number; whatever runs later is the next step. */
const STEPS = 12;
const MOST_STEPS = 60;

/** What is found in the context at each step of a program, which is the same for the same choices. */
async function found(context: Context, choices: readonly number[]): Promise<string> {
  const seen: string[] = [];
  const resources = [new AsyncResource('one'), new AsyncResource('other')];
  let taken = 0;
  let entered = 0;
  const look = () => seen.push(String(context.getStore()?.number));
  const store = () => ({ number: ++entered });
  async function waiting(): Promise<void> {
    step();
    await null;
    step();
    await Promise.resolve().then(step);
    look();
  }
  function step(): void {
    look();
    for (let i = 0; i < 2 && taken < MOST_STEPS; i++) take(choices[taken++ % choices.length] ?? 0);
    look();
  }
  function take(choice: number): void {
    const resource = resources[choice % 2];
    switch (choice % STEPS) {
      case 0:
      case 1:
        context.enterWith(store());
        return;
      case 2:
        context.run(store(), step);
        return;
      case 3:
        process.nextTick(step);
        return;
      case 4:
        queueMicrotask(step);
        return;
      case 5:
        void Promise.resolve().then(step).then(step);
        return;
      case 6:
        setImmediate(step);
        return;
      case 7:
        void waiting();
        return;
      case 8:
      case 9:
        resource.runInAsyncScope(step);
        return;
      case 10:
        new AsyncResource('new').runInAsyncScope(step);
        return;
      default:
        process.nextTick(AsyncResource.bind(step));
    }
  }
  await new AsyncResource('program').runInAsyncScope(async () => {
    await null;
    while (taken < MOST_STEPS) {
      setImmediate(step);
      await turn();
    }
    for (let i = 0; i < 10; i++) await turn();
  });
  return seen.join(' ');
}

describe('the context of what is registered with the event loop', () => {
  const own = makeAsyncContext<Store>();

  it('is what an AsyncLocalStorage has', async () => {
    const program = fc.array(fc.nat(STEPS * 2 - 1), { minLength: 5, maxLength: MOST_STEPS });
    await fc.assert(
      fc.asyncProperty(program, async (choices) => {
        const alone = await found(own, choices);
        const reference = new AsyncLocalStorage<Store>();
        const expected = await found(reference, choices);
        const beside = await found(own, choices);
        reference.disable();
        expect(alone).toBe(expected);
        expect(beside).toBe(expected);
      }),
      { numRuns: 150 },
    );
  });

  // Elsewhere it is a microtask, and ticks come first.
  it.skipIf(own instanceof AsyncLocalStorage)(
    'calls what is to come afterwards before anything else',
    async () => {
      const order: string[] = [];
      setImmediate(() => {
        own.afterwards(() => order.push('over'));
        process.nextTick(() => order.push('tick'));
        queueMicrotask(() => order.push('microtask'));
      });
      await turn();
      queueMicrotask(() => {
        own.afterwards(() => order.push('over'));
        process.nextTick(() => order.push('tick'));
        queueMicrotask(() => order.push('microtask'));
      });
      await turn();
      expect(order.join(' ')).toBe('over tick microtask over microtask tick');
    },
  );
});
