import { Op } from '../../../trace/operation.ts';
import { ChannelRecord } from '../channel-record.ts';
import type { Patches } from '../patching.ts';
import { bind } from '../promises.ts';
import type { CallSites } from './call-sites.ts';
import { type Kinds, VOLATILE_READ, VOLATILE_UPDATE, VOLATILE_WRITE } from './kinds.ts';
import type { WordChange } from './lock-words.ts';
import type { Element, SharedMemory } from './shared-memory.ts';
import { placeText, variableKey } from './variables.ts';
import { isForAtomics, type View } from './views.ts';

type Value = number | bigint;
type Integers = Int32Array;

const { load } = Atomics as unknown as { load(array: ArrayBufferView, index: number): Value };

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
interface Target extends Element {
  site: number;
  isUsed: boolean;
}

/** Records what the functions of `Atomics` do, under whatever name they are called. */
export function patchAtomics(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  const { recorder } = memory;
  const channels = new Map<string, ChannelRecord>();

  /** Null if the call is none to record, or one of which not all is known: then it goes its own way. */
  function targetOf(values: readonly unknown[]): Target | null {
    const call = calls.take();
    const [array, index] = values;
    if (!ArrayBuffer.isView(array) || !isForAtomics(array)) return null;
    const place = call ?? calls.find();
    const element = place === null ? null : memory.elementAt(array, index === undefined ? 0 : index);
    return element === null || place === null ? null : { ...element, ...place };
  }

  function perform(target: Target, by: WordChange['by'], run: () => Value, kindsOf: (value: Value) => Kinds) {
    const { array, view, index, offset, site } = target;
    let before: Value = 0;
    const runFrom = () => {
      before = load(array, index);
      return run();
    };
    return memory.perform(view.memory, offset, view.size, site, kindsOf(0), runFrom, (value, stripe) => {
      const change: WordChange = { by, before, after: load(array, index) };
      return memory.lockWords.judge(stripe, view.memory, offset, view.size, change, kindsOf(value));
    });
  }

  function channelOf({ view, offset }: Target): ChannelRecord {
    const name = `${view.memory.record.name}${placeText(variableKey(offset, view.size))}`;
    let channel = channels.get(name);
    if (channel === undefined) {
      channel = new ChannelRecord(name);
      channels.set(name, channel);
    }
    return channel;
  }

  /** Logs that something was waited for, or that those who wait were told. */
  function log(op: typeof Op.wait | typeof Op.notify, target: Target, sequence: number): void {
    const activation = recorder.acting();
    memory.units.begin(activation);
    const by = memory.units.innermost(activation);
    recorder.log.push(op, activation.task, by, channelOf(target), target.site, sequence);
    recorder.epoch++;
  }

  function isPlain(view: View, value: unknown): value is Value {
    return typeof value === (view.isBig ? 'bigint' : 'number');
  }

  patches.replace(Atomics, 'load', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      const run = () => Reflect.apply(original, this, values) as Value;
      return target === null ? run() : perform(target, 'load', run, () => VOLATILE_READ);
    };
  });

  patches.replace(Atomics, 'store', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      const run = () => Reflect.apply(original, this, values) as Value;
      if (target === null || !isPlain(target.view, values[2])) return run();
      return perform(target, 'store', run, () => VOLATILE_WRITE);
    };
  });

  for (const [name, by] of CHANGES)
    patches.replace(Atomics, name, (original) => {
      const commutes = name === 'add' || name === 'sub';
      return function (this: unknown, ...values: unknown[]) {
        const target = targetOf(values);
        const run = () => Reflect.apply(original, this, values) as Value;
        if (target === null || !isPlain(target.view, values[2])) return run();
        const kinds = commutes && !target.isUsed ? VOLATILE_UPDATE : BOTH;
        return perform(target, by, run, () => kinds);
      };
    });

  patches.replace(Atomics, 'compareExchange', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      const run = () => Reflect.apply(original, this, values) as Value;
      if (target === null || !isPlain(target.view, values[2]) || !isPlain(target.view, values[3]))
        return run();
      const expected = asElement(target.array, values[2]);
      return perform(target, 'compareExchange', run, (value) => (value === expected ? BOTH : VOLATILE_READ));
    };
  });

  patches.replace(Atomics, 'wait', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      if (target === null) return Reflect.apply(original, this, values);
      recorder.isolate?.flush();
      const outcome = Reflect.apply(original, this, values);
      const { array, index } = target;
      if (outcome === 'ok') log(Op.wait, target, recorder.isolate?.clock.take() ?? 0);
      else if (outcome === 'not-equal')
        perform(
          target,
          'load',
          () => load(array, index),
          () => VOLATILE_READ,
        );
      return outcome;
    };
  });

  patches.replace(Atomics, 'waitAsync', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      const waiting = Reflect.apply(original, this, values) as { async: boolean; value: unknown };
      if (target === null || !waiting.async) return waiting;
      // Whoever waits for the promise joins a task that does nothing else.
      const task = recorder.reserve('wait', target.site);
      bind(waiting.value, [task]);
      (waiting.value as Promise<string>).then((outcome) => {
        recorder.endStale();
        const activation = recorder.startCallback(task, null);
        if (outcome === 'ok') log(Op.wait, target, recorder.isolate?.clock.take() ?? 0);
        recorder.endCallback(activation);
      });
      return waiting;
    };
  });

  patches.replace(Atomics, 'notify', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const target = targetOf(values);
      // Before anybody can go on.
      const sequence = target === null ? 0 : (recorder.isolate?.clock.take() ?? 0);
      const woken = Reflect.apply(original, this, values) as number;
      if (target !== null && woken > 0) log(Op.notify, target, sequence);
      return woken;
    };
  });
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
