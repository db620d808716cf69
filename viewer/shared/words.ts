import { mnemonicOf, operandOf } from '../../src/check/operation-text.ts';
import { verbOf } from '../../src/report/event-words.ts';
import { MNEMONICS, OPERAND_KINDS } from '../../src/trace/operation.ts';

/** Looks alike in every diagram: accesses, what threads wait for, threads and blocks each have their own colour. */
export type Look = 'read' | 'write' | 'lock' | 'thread' | 'block';

export interface Operation {
  mnemonic: string;
  verb: string;
  operand: string;
  look: Look;
}

/** Takes `w(balance)` apart. */
export function operation(op: string): Operation {
  const mnemonic = mnemonicOf(op);
  return { mnemonic, operand: operandOf(op), verb: verbOf(mnemonic), look: lookOf(mnemonic) };
}

/** A place in words: many traces have only a number for it. */
export function placeWords(location: string): string {
  return /^\d+$/.test(location) ? `location ${location}` : location;
}

export function lookOf(mnemonic: string): Look {
  if (mnemonic === 'r' || mnemonic === 'vr') return 'read';
  switch (OPERAND_KINDS[MNEMONICS.indexOf(mnemonic)]) {
    case 'variable':
      return 'write';
    case 'lock':
    case 'barrier':
    case 'message':
    case 'condition':
      return 'lock';
    case 'thread':
      return 'thread';
    default:
      return 'block';
  }
}
