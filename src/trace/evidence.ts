/*
 * What tells in which order several processes have come to the same store: docs/explanation/processes.md. Each process numbers its
 * steps, a step being what the store has done at once for it: a statement, a transaction at its end, a command.
 */

/** What an access to a store says of its place among those of other processes. */
export interface StoreEvidence {
  /** Steps are numbered by their answers, from 1. */
  readonly step: number;
  /** What goes through one connection is done in the order in which it is sent. */
  readonly connection: number;
  /** How many steps were answered when it was sent: so many have come before it. */
  readonly sent: number;
  /** What was found and what was left there, as `valueCode` has it; empty where that is not known. */
  readonly seen: string;
  readonly wrote: string;
  /** Of changes of one variable, those with larger numbers are later; 0 if nobody knows. */
  readonly version: number;
}

/** What follows the number of the event in a fact. */
export function evidenceEntry(evidence: StoreEvidence): (number | string)[] {
  const { step, connection, sent, seen, wrote, version } = evidence;
  return [step, connection, sent, seen, wrote, version];
}

const ENTRY = 7;

/** The evidence of each event; none of what is not to be understood. */
export function* evidenceIn(
  entries: readonly (number | string)[],
): Generator<[event: number, evidence: StoreEvidence]> {
  if (!Array.isArray(entries)) return;
  for (let i = 0; i + ENTRY <= entries.length; i += ENTRY) {
    const [event, step, connection, sent] = entries.slice(i, i + 4).map(Number);
    if (![event, step, connection, sent].every((each) => Number.isSafeInteger(each) && each >= 0)) return;
    const [seen, wrote] = entries.slice(i + 4, i + 6).map(String);
    const version = Number(entries[i + 6]) || 0;
    yield [event, { step, connection, sent, seen, wrote, version }];
  }
}

/** A process that is asked by another one answers by a message, whose name is the id of the call with this behind it. */
export const ANSWER = ' answers';

/** Nothing was there. */
export const NOTHING = 'n';
/** Something was there, whatever it was. */
export const PRESENT = 'p';
/** Behind what was written and goes by itself after some time. */
const EXPIRES = '~';

/** Words that databases take for something else in columns of some types. */
const SPECIAL = /^(?:t|f|y|n|true|false|yes|no|on|off|now|today|tomorrow|yesterday|epoch|infinity|nan)$/i;
const PLAIN = /^\p{L}[\p{L}\p{N}_ @.-]*$/u;
const WHOLE = /^[+-]?\d{1,15}(?:\.0*)?$/;

/**
 * A value as evidence has it: the same text for what is the same, and of two texts that begin alike it is certain that the values
 * differ. Empty for values of which a store may make something else: dates, fractions, JSON. `isExact`: the store keeps all texts
 * as they are.
 */
export function valueCode(value: unknown, isExact: boolean): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  if (typeof value === 'bigint' || typeof value === 'number') return wholeCode(String(value));
  const text = Buffer.isBuffer(value) && isExact ? value.toString() : value;
  if (typeof text !== 'string') return '';
  if (WHOLE.test(text)) return wholeCode(text);
  if (isExact) return `s${hashed(text)}`;
  return PLAIN.test(text) && !SPECIAL.test(text) ? `s${hashed(text.trimEnd())}` : '';
}

function wholeCode(text: string): string {
  return WHOLE.test(text) ? `i${hashed(String(Number(text)))}` : '';
}

export function expiring(code: string): string {
  return code === '' ? '' : code + EXPIRES;
}

/** Whether what was found can be what was left. */
export function mayBe(seen: string, wrote: string): boolean {
  if (seen === '' || wrote === '' || wrote === EXPIRES) return true;
  if (wrote.endsWith(EXPIRES)) return seen === NOTHING || mayBe(seen, wrote.slice(0, -1));
  if (seen === wrote) return true;
  if ((seen === NOTHING) !== (wrote === NOTHING)) return false;
  // Of different kinds, or only known to be there.
  return seen[0] !== wrote[0];
}

/** Of values nothing is kept but this: they may be secrets. */
function hashed(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
