import { Op } from '../../../trace/operation.ts';
import { READ, UPDATE, WRITE } from '../../core/variable.ts';

/** What an access by `Atomics` did, as bits beside those of plain accesses. */
export const VOLATILE_READ = 8;
export const VOLATILE_WRITE = 16;
export const VOLATILE_UPDATE = 32;

/** Several bits at once are what happens in one step, in the order of the bits. */
export type Kinds = number;

const READS = READ | VOLATILE_READ;
const WRITES = WRITE | VOLATILE_WRITE;
const UPDATES = UPDATE | VOLATILE_UPDATE;

export function isVolatile(kinds: Kinds): boolean {
  return kinds >= VOLATILE_READ;
}

/** Whether it changes what is there. */
export function changes(kinds: Kinds): boolean {
  return (kinds & ~READS) !== 0;
}

/** The operations of the trace. */
export function operations(kinds: Kinds): Op[] {
  const volatile = isVolatile(kinds);
  const found: Op[] = [];
  if ((kinds & READS) !== 0) found.push(volatile ? Op.volatileRead : Op.read);
  if ((kinds & WRITES) !== 0) found.push(volatile ? Op.volatileWrite : Op.write);
  if ((kinds & UPDATES) !== 0) found.push(volatile ? Op.volatileUpdate : Op.update);
  return found;
}
