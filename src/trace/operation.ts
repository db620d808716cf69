/**
 * The operations of the event model. The numbers are what batches store and what `.trk` files hold, so they
 * are never renumbered; new operations are appended.
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
  /** An event that a stage before the analyses took out; it keeps its place so that numbers stay true. */
  skip: 9,
} as const;

export type Op = (typeof Op)[keyof typeof Op];

/** How STD writes each operation, indexed by `Op`. `skip` never leaves the program. */
export const MNEMONICS: readonly string[] = ['r', 'w', 'u', 'acq', 'rel', 'fork', 'join', 'begin', 'end'];

/** How each operation is called in messages, indexed by `Op`. */
export const OPERATION_WORDS: readonly string[] = [
  'read',
  'write',
  'update',
  'acquire',
  'release',
  'fork',
  'join',
  'begin',
  'end',
];

/** What the operand of an operation names. */
export type OperandKind = 'variable' | 'lock' | 'thread' | 'label';

export const OPERAND_KINDS: readonly OperandKind[] = [
  'variable',
  'variable',
  'variable',
  'lock',
  'lock',
  'thread',
  'thread',
  'label',
  'label',
];

export const OPERATION_COUNT = MNEMONICS.length;
