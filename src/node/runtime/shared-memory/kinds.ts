import { Op } from '../../../trace/operation.ts';

/** What happens in one step, as a set: the bits are the numbers of the operations. */
export type Kinds = number;

export const READ = 1 << Op.read;
export const WRITE = 1 << Op.write;
export const UPDATE = 1 << Op.update;
/** By `Atomics`. */
export const VOLATILE_READ = 1 << Op.volatileRead;
export const VOLATILE_WRITE = 1 << Op.volatileWrite;
export const VOLATILE_UPDATE = 1 << Op.volatileUpdate;
/** For a word that is a lock. */
export const ACQUIRE = 1 << Op.acquire;
export const RELEASE = 1 << Op.release;

const VOLATILE = VOLATILE_READ | VOLATILE_WRITE | VOLATILE_UPDATE;
const IN_ORDER = [
  Op.read,
  Op.write,
  Op.update,
  Op.volatileRead,
  Op.volatileWrite,
  Op.volatileUpdate,
] as const;

export function isVolatile(kinds: Kinds): boolean {
  return (kinds & VOLATILE) !== 0;
}

export function isOfLock(kinds: Kinds): boolean {
  return (kinds & (ACQUIRE | RELEASE)) !== 0;
}

/** Whether it changes what is there. */
export function changes(kinds: Kinds): boolean {
  return (kinds & ~(READ | VOLATILE_READ)) !== 0;
}

/** The accesses of the trace, in order. */
export function operations(kinds: Kinds): Op[] {
  return IN_ORDER.filter((op) => (kinds & (1 << op)) !== 0);
}
