import type { OperationResult } from '../../src/check/result.ts';
import { verbOf } from '../../src/report/event-words.ts';
import { MNEMONICS, type Mnemonic, OPERAND_KINDS } from '../../src/trace/operation.ts';

/** Looks alike in every diagram: accesses, what threads wait for, threads and blocks each have their own colour. */
export type Look = 'read' | 'write' | 'lock' | 'thread' | 'block';

export interface Operation extends OperationResult {
  verb: string;
  look: Look;
}

export function operation({ op, operand, kind }: OperationResult): Operation {
  return { op, operand, kind, verb: verbOf(op), look: lookOf(op) };
}

/** A place in words: many traces have only a number for it. */
export function placeWords(location: string): string {
  return /^\d+$/.test(location) ? `location ${location}` : location;
}

export function lookOf(op: Mnemonic): Look {
  if (op === 'r' || op === 'vr') return 'read';
  switch (OPERAND_KINDS[MNEMONICS.indexOf(op)]) {
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
