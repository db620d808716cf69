import { BUFFER_METHODS } from '../../builtins.ts';
import type { Patches } from '../../support/patching.ts';
import type { CallSites } from './call-sites.ts';
import { type Kinds, READ, WRITE } from './kinds.ts';
import type { SharedMemory } from './shared-memory.ts';
import { lengthOf, type View } from './views.ts';

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

const byteLength = Object.getOwnPropertyDescriptor(DataView.prototype, 'byteLength')?.get as (
  this: unknown,
) => number;
const byteLengthOf = (view: unknown): number => byteLength.call(view);

const bufferLengthOf = (buffer: unknown): number => lengthOf(buffer as ArrayBufferView);

/** Records accesses to shared memory by DataViews. */
export function patchDataViews(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  for (const [name, size] of NUMBERS)
    for (const prefix of ['get', 'set'])
      patches.replace(DataView.prototype, prefix + name, (original) => {
        return function (this: unknown, ...values: unknown[]) {
          const [at, value] = values;
          const run = () => Reflect.apply(original, this, values) as Value;
          const given = prefix === 'set' ? { value } : null;
          return access(memory, calls, this, at, byteLengthOf, size, given, run);
        };
      });
}

/** The same by the methods of Buffers for single numbers. */
export function patchBufferNumbers(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  for (const [name, size] of BUFFER_METHODS)
    patches.replace(Buffer.prototype, name, (original) => {
      return function (this: unknown, ...values: unknown[]) {
        const isWrite = name.startsWith('write');
        const at = values[isWrite ? 1 : 0] ?? 0;
        const run = () => Reflect.apply(original, this, values) as Value;
        const given = isWrite ? { value: values[0] } : null;
        return access(memory, calls, this, at, bufferLengthOf, size, given, run);
      };
    });
}

/** Does an access to `size` bytes of a view, which writes what is `given`, or reads. */
function access(
  memory: SharedMemory,
  calls: CallSites,
  view: unknown,
  at: unknown,
  lengthIn: (view: unknown) => number,
  size: number,
  given: { value: unknown } | null,
  run: () => Value,
): Value {
  const call = calls.take();
  const found = ArrayBuffer.isView(view) ? memory.views.find(view) : null;
  // Anything else may run code of the program, or fail.
  const isPlain = given === null || typeof given.value === 'number' || typeof given.value === 'bigint';
  if (found === null || found.size > 1 || !isPlain || !Number.isInteger(at)) return run();
  if ((at as number) < 0 || (at as number) + size > lengthIn(view)) return run();
  const place = call ?? calls.find();
  if (place === null) return run();
  const kind = given === null ? READ : WRITE;
  return perform(memory, found, found.start + (at as number), size, kind, place.site, run);
}

function perform(
  memory: SharedMemory,
  view: View,
  offset: number,
  size: number,
  kind: Kinds,
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
