import { define } from './patching.ts';

type Tick = typeof process.nextTick;

/** Before the runtime gives each of their callbacks a task. */
const nextTick: Tick = process.nextTick;
const { setImmediate } = globalThis;

/** Makes a worker without telling anybody: what Node does in the next ticks for it is not the program's. */
export function quietly<T>(make: () => T): T {
  return withTicks(nextTick, make);
}

/**
 * The same for a thread of our own, of which the program does not get to know either: not even by ticks in its first
 * turn, whose microtasks would then have Node's queue of ticks in their stacks.
 */
export function secretly<T>(make: () => T): T {
  const secret = (callback: (...values: unknown[]) => void, ...values: unknown[]) => {
    setImmediate(() => withoutAnnouncing(() => callback(...values)));
  };
  return withTicks(secret as Tick, make);
}

function withTicks<T>(tick: Tick, make: () => T): T {
  const before = process.nextTick;
  process.nextTick = tick;
  try {
    return make();
  } finally {
    process.nextTick = before;
  }
}

/** Node emits an event of the process for each worker. */
function withoutAnnouncing(run: () => void): void {
  const { emit } = process;
  const own = Object.getOwnPropertyDescriptor(process, 'emit');
  const value = (event: string, ...values: unknown[]) =>
    event === 'worker' ? false : Reflect.apply(emit, process, [event, ...values]);
  define(process, 'emit', { configurable: true, writable: true, enumerable: false, value });
  try {
    run();
  } finally {
    if (own === undefined) Reflect.deleteProperty(process, 'emit');
    else define(process, 'emit', own);
  }
}
