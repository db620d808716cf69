/* Operations as results hold them, and as STD writes them: `w(balance)`. */

/** Of `w(balance)`, `w`. */
export function mnemonicOf(op: string): string {
  return /^(\w+)\(/.exec(op)?.[1] ?? op;
}

/** Of `w(balance)`, `balance`, as it is in the trace; also of one whose end was cut off for being too long. */
export function operandOf(op: string): string {
  return /^\w+\((.*?)\)?$/s.exec(op)?.[1] ?? '';
}
