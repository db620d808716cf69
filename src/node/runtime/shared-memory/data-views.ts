import type { Patches } from '../patching.ts';
import { READ, WRITE } from '../variable.ts';
import type { CallSites } from './call-sites.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { View } from './views.ts';

type Value = number | bigint;

/** What is in the names of the methods of a DataView, with the number of bytes. */
export const NUMBERS: readonly [name: string, size: number][] = [
  ['Int8', 1],
  ['Uint8', 1],
  ['Int16', 2],
  ['Uint16', 2],
  ['Float16', 2],
  ['Int32', 4],
  ['Uint32', 4],
  ['Float32', 4],
  ['Float64', 8],
  ['BigInt64', 8],
  ['BigUint64', 8],
];

const byteLengthOf = Object.getOwnPropertyDescriptor(DataView.prototype, 'byteLength')?.get as (
  this: unknown,
) => number;

/** Records accesses to shared memory by DataViews. */
export function patchDataViews(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  function access(
    view: unknown,
    values: readonly unknown[],
    size: number,
    kind: typeof READ | typeof WRITE,
    run: () => Value,
  ): Value {
    const call = calls.take();
    const found = ArrayBuffer.isView(view) ? memory.views.find(view) : null;
    const [at, value] = values;
    // Anything else may run code of the program, or fail.
    const isPlain = kind === READ || typeof value === 'number' || typeof value === 'bigint';
    if (found === null || found.size !== 0 || !isPlain || !Number.isInteger(at)) return run();
    if ((at as number) < 0 || (at as number) + size > byteLengthOf.call(view)) return run();
    const place = call ?? calls.find();
    return place === null ? run() : perform(found, found.start + (at as number), size, kind, place.site, run);
  }

  function perform(
    view: View,
    offset: number,
    size: number,
    kind: typeof READ | typeof WRITE,
    site: number,
    run: () => Value,
  ): Value {
    const isAligned = offset % size === 0;
    const width = isAligned ? size : 1;
    memory.state.addSize(view.memory.number, width);
    if (!isAligned)
      for (let at = offset + 1; at < offset + size; at++) memory.note(view.memory, at, 1, site, kind);
    return memory.perform(view.memory, offset, width, site, kind, run);
  }

  for (const [name, size] of NUMBERS)
    for (const [prefix, kind] of [
      ['get', READ],
      ['set', WRITE],
    ] as const)
      patches.replace(DataView.prototype, prefix + name, (original) => {
        return function (this: unknown, ...values: unknown[]) {
          return access(this, values, size, kind, () => Reflect.apply(original, this, values) as Value);
        };
      });
}
