import { Op } from '../../../trace/operation.ts';
import { ChannelRecord } from '../../core/channel-record.ts';
import { IGNORED } from '../../probes.ts';
import type { Patches } from '../../support/patching.ts';
import { bind } from '../promises.ts';
import type { CallSites } from './call-sites.ts';
import { type Kinds, VOLATILE_READ, VOLATILE_UPDATE, VOLATILE_WRITE } from './kinds.ts';
import type { WordChange } from './lock-words.ts';
import type { Element, SharedMemory } from './shared-memory.ts';
import { variableKey } from './variables.ts';
import { isShared } from './views.ts';

type Value = number | bigint;
type Integers = Int32Array;

const { load } = Atomics as unknown as { load(array: ArrayBufferView, index: number): Value };

/** More than there are numbers of memories. */
const MEMORIES = 2 ** 16;

const BOTH = VOLATILE_READ | VOLATILE_WRITE;

/** What the functions do that change a value by another one: all but additions and subtractions look at what was there. */
const CHANGES: readonly [name: string, by: WordChange['by']][] = [
  ['add', 'other'],
  ['sub', 'other'],
  ['and', 'other'],
  ['or', 'other'],
  ['xor', 'other'],
  ['exchange', 'exchange'],
];

/** An element of shared memory that a call is about. */
interface Target {
  element: Element;
  site: number;
  isUsed: boolean;
}

/** As the functions of `Atomics`, for which an argument that is undefined is as good as none. */
type AtomicFunction = (array: unknown, index?: unknown, value?: unknown, other?: unknown) => unknown;

/** Records what the functions of `Atomics` do, under whatever name they are called. */
export function patchAtomics(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  const { recorder } = memory;
  const channels = new Map<number, ChannelRecord>();

  /** Null if the call is none to record, or one of which not all is known: then it goes its own way. */
  function targetOf(array: unknown, index: unknown): Target | null {
    const call = calls.take();
    if (call?.site === IGNORED || !ArrayBuffer.isView(array) || !isShared(array)) return null;
    const place = call ?? calls.find();
    if (place === null) return null;
    const element = memory.elementAt(array, index === undefined ? 0 : index, place.site);
    if (element === null || !element.view.isInteger) return null;
    return { element, site: place.site, isUsed: place.isUsed };
  }

  function isPlain(target: Target | null, value: unknown): target is Target {
    return target !== null && typeof value === (target.element.view.isBig ? 'bigint' : 'number');
  }

  /** It is of these kinds, unless what it found was not `expected`: then it has only looked. */
  function perform(
    { element: { array, view, index, offset }, site }: Target,
    by: WordChange['by'],
    kinds: Kinds,
    run: () => unknown,
    expected?: Value,
  ): unknown {
    let before: Value = 0;
    const runFrom = () => {
      before = load(array, index);
      return run();
    };
    return memory.perform(view.memory, offset, view.size, site, kinds, runFrom, (_value, stripe) => {
      const after = load(array, index);
      const judged = expected === undefined || before === expected ? kinds : VOLATILE_READ;
      return memory.lockWords.judge(stripe, view.memory, offset, view.size, { by, before, after }, judged);
    });
  }

  function channelOf({ element: { view, offset } }: Target): ChannelRecord {
    const key = variableKey(offset, view.size) * MEMORIES + view.memory.number;
    let channel = channels.get(key);
    if (channel === undefined) {
      channel = new ChannelRecord(memory.names.nameOf(view.memory, offset, view.size));
      channels.set(key, channel);
    }
    return channel;
  }

  /** Logs that something was waited for, or that those who wait were told. */
  function log(op: typeof Op.wait | typeof Op.notify, target: Target, sequence: number): void {
    const activation = recorder.tasks.acting();
    memory.units.begin(activation, target.site, false);
    const by = memory.units.innermost(activation);
    recorder.tasks.log.push(op, activation.task, by, channelOf(target), target.site, sequence);
    recorder.tasks.newEpoch();
  }

  const replace = (name: string, make: (original: AtomicFunction) => { patched: AtomicFunction }) =>
    patches.replace(Atomics, name, (original) => make(original as AtomicFunction).patched);

  replace('load', (original) => ({
    patched(array, index) {
      const target = targetOf(array, index);
      if (target === null) return original(array, index);
      return perform(target, 'load', VOLATILE_READ, () => original(array, index));
    },
  }));

  replace('store', (original) => ({
    patched(array, index, value) {
      const target = targetOf(array, index);
      if (!isPlain(target, value)) return original(array, index, value);
      return perform(target, 'store', VOLATILE_WRITE, () => original(array, index, value));
    },
  }));

  for (const [name, by] of CHANGES)
    replace(name, (original) => ({
      patched(array, index, value) {
        const target = targetOf(array, index);
        if (!isPlain(target, value)) return original(array, index, value);
        const commutes = !target.isUsed && (name === 'add' || name === 'sub');
        const kinds = commutes ? VOLATILE_UPDATE : BOTH;
        return perform(target, by, kinds, () => original(array, index, value));
      },
    }));

  replace('compareExchange', (original) => ({
    patched(array, index, value, other) {
      const target = targetOf(array, index);
      if (!isPlain(target, value) || !isPlain(target, other)) return original(array, index, value, other);
      const expected = asElement(target.element.array, value as Value);
      const run = () => original(array, index, value, other);
      memory.isGuarded = true;
      try {
        return perform(target, 'compareExchange', BOTH, run, expected);
      } finally {
        memory.isGuarded = false;
      }
    },
  }));

  replace('wait', (original) => ({
    patched(array, index, value, timeout) {
      const target = targetOf(array, index);
      recorder.tasks.isolate?.flush();
      const outcome = original(array, index, value, timeout);
      if (target === null) return outcome;
      if (outcome === 'ok') log(Op.wait, target, recorder.tasks.isolate?.clock.take() ?? 0);
      else if (outcome === 'not-equal') perform(target, 'load', VOLATILE_READ, () => undefined);
      return outcome;
    },
  }));

  replace('waitAsync', (original) => ({
    patched(array, index, value, timeout) {
      const target = targetOf(array, index);
      const waiting = original(array, index, value, timeout) as { async: boolean; value: unknown };
      if (target === null || !waiting.async) return waiting;
      // Whoever waits for the promise joins a task that does nothing else.
      const task = recorder.tasks.reserve('wait', target.site);
      bind(waiting.value, [task]);
      (waiting.value as Promise<string>).then((outcome) => {
        recorder.callbacks.endStale();
        const activation = recorder.callbacks.start(task, null);
        if (outcome === 'ok') log(Op.wait, target, recorder.tasks.isolate?.clock.take() ?? 0);
        recorder.callbacks.end(activation);
      });
      return waiting;
    },
  }));

  replace('notify', (original) => ({
    patched(array, index, count) {
      const target = targetOf(array, index);
      if (target === null) return original(array, index, count);
      // Before anybody can go on.
      const sequence = recorder.tasks.isolate?.clock.take() ?? 0;
      const woken = original(array, index, count) as number;
      if (woken > 0) log(Op.notify, target, sequence);
      return woken;
    },
  }));
}

/** One element of each kind, to see what becomes of a value in it. */
const SCRATCH = new Map<string, Integers>(
  [
    ...[Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[BigInt64Array, BigUint64Array],
  ].map((Elements) => [Elements.name, new Elements(1) as unknown as Integers]),
);

const kindOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get as (this: unknown) => string;

/** The value as an element of this array would have it. */
function asElement(array: ArrayBufferView, value: Value): Value {
  const one = SCRATCH.get(kindOf.call(array));
  if (one === undefined) return value;
  one[0] = value as number;
  return one[0];
}
