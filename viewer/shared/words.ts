import { MNEMONICS, OPERAND_KINDS } from '../../src/trace/operation.ts';

/** What a thread does, by mnemonic. */
const VERBS = new Map([
  ['r', 'reads'],
  ['w', 'writes'],
  ['u', 'updates'],
  ['acq', 'acquires'],
  ['rel', 'releases'],
  ['fork', 'forks'],
  ['join', 'joins'],
  ['begin', 'begins'],
  ['end', 'ends'],
  ['arrive', 'arrives at'],
  ['leave', 'leaves'],
]);

/** Looks alike in every diagram: accesses, locks, threads and blocks each have their own colour. */
export type Look = 'read' | 'write' | 'lock' | 'thread' | 'block';

export interface Operation {
  mnemonic: string;
  verb: string;
  operand: string;
  look: Look;
}

/** Takes `w(balance)` apart. */
export function operation(op: string): Operation {
  const open = op.indexOf('(');
  const mnemonic = open < 0 ? op : op.slice(0, open);
  const operand = open < 0 ? '' : op.slice(open + 1, op.endsWith(')') ? -1 : undefined);
  return { mnemonic, operand, verb: verbOf(mnemonic), look: lookOf(mnemonic) };
}

/** A place in words: many traces have only a number for it. */
export function placeWords(location: string): string {
  return /^\d+$/.test(location) ? `location ${location}` : location;
}

export function verbOf(mnemonic: string): string {
  return VERBS.get(mnemonic) ?? mnemonic;
}

export function lookOf(mnemonic: string): Look {
  if (mnemonic === 'r') return 'read';
  switch (OPERAND_KINDS[MNEMONICS.indexOf(mnemonic)]) {
    case 'variable':
      return 'write';
    case 'lock':
    case 'barrier':
      return 'lock';
    case 'thread':
      return 'thread';
    default:
      return 'block';
  }
}
