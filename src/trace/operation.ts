/**
 * The operations of the event model. The numbers are what batches store and what `.trk` files hold, so they
 * are never renumbered; new operations are appended. Only `skip` moves, which no file holds: it comes last.
 */
export const Op = {
  read: 0,
  write: 1,
  /** A commuting update: conflicts with reads and writes of its variable, not with other updates. */
  update: 2,
  acquire: 3,
  release: 4,
  fork: 5,
  join: 6,
  begin: 7,
  end: 8,
  /** A thread has come to a barrier, and may have to wait there. */
  arrive: 9,
  /** It goes on, as everybody has come whom it had to wait for. */
  leave: 10,
  /** An event that a stage before the analyses took out; it keeps its place so that numbers stay true. */
  skip: 11,
} as const;

export type Op = (typeof Op)[keyof typeof Op];

/** What the operand of an operation names. */
export type OperandKind = 'variable' | 'lock' | 'thread' | 'label' | 'barrier';

interface Operation {
  /** How STD writes it. */
  mnemonic: string;
  /** How it is called in messages. */
  word: string;
  operand: OperandKind;
}

/** Everything that can be in a trace, indexed by `Op`: whoever needs a property of operations adds it here. */
const OPERATIONS: readonly Operation[] = [
  { mnemonic: 'r', word: 'read', operand: 'variable' },
  { mnemonic: 'w', word: 'write', operand: 'variable' },
  { mnemonic: 'u', word: 'update', operand: 'variable' },
  { mnemonic: 'acq', word: 'acquire', operand: 'lock' },
  { mnemonic: 'rel', word: 'release', operand: 'lock' },
  { mnemonic: 'fork', word: 'fork', operand: 'thread' },
  { mnemonic: 'join', word: 'join', operand: 'thread' },
  { mnemonic: 'begin', word: 'begin', operand: 'label' },
  { mnemonic: 'end', word: 'end', operand: 'label' },
  { mnemonic: 'arrive', word: 'arrival', operand: 'barrier' },
  { mnemonic: 'leave', word: 'leaving', operand: 'barrier' },
];

export const OPERATION_COUNT = OPERATIONS.length;
export const MNEMONICS: readonly string[] = OPERATIONS.map(({ mnemonic }) => mnemonic);
export const OPERATION_WORDS: readonly string[] = OPERATIONS.map(({ word }) => word);
export const OPERAND_KINDS: readonly OperandKind[] = OPERATIONS.map(({ operand }) => operand);

/**
 * Whether the operation makes threads wait for each other, whatever they access. These are what ends a
 * transaction under `--fork-join boundary` (Wang and Stoller, §2).
 */
export function isBoundary(op: number): boolean {
  return op === Op.fork || op === Op.join || op === Op.arrive || op === Op.leave;
}

export function isOfBarrier(op: number): boolean {
  return op === Op.arrive || op === Op.leave;
}
