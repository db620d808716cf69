/* Operations as STD and the JSON report write them: `w(balance)`. */

import { MNEMONICS, type Mnemonic, OPERAND_KINDS } from '../trace/operation.ts';
import type { OperationResult } from './result.ts';

export function operationText({ op, operand }: OperationResult): string {
  return `${op}(${operand})`;
}

const TEXT = /^([a-z]+)\((.*)\)$/s;

/** Takes `w(balance)` apart; null for what is no operation. */
export function parseOperation(text: string): OperationResult | null {
  const [, mnemonic, operand] = TEXT.exec(text) ?? [];
  const index = MNEMONICS.indexOf(mnemonic as Mnemonic);
  return index < 0 ? null : { op: MNEMONICS[index], operand, kind: OPERAND_KINDS[index] };
}
