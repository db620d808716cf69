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
  /* Accesses that also synchronise: volatile variables of Java, `Atomics` of JavaScript. They conflict as plain ones do. */
  volatileRead: 11,
  volatileWrite: 12,
  volatileUpdate: 13,
  /** What comes before it happens before what follows a later `receive` of the same message. */
  send: 14,
  receive: 15,
  /** The same for a condition: somebody may wait for it, and logs `wait` when the waiting is over. */
  notify: 16,
  wait: 17,
  /** An event that a stage before the analyses took out; it keeps its place so that numbers stay true. */
  skip: 18,
} as const;

export type Op = (typeof Op)[keyof typeof Op];

/** How accesses conflict. */
export type AccessKind = typeof Op.read | typeof Op.write | typeof Op.update;

/** What the operand of an operation names. */
export type OperandKind = 'variable' | 'lock' | 'thread' | 'label' | 'barrier' | 'message' | 'condition';

interface Operation {
  /** How STD writes it. */
  mnemonic: Mnemonic;
  /** How it is called in messages. */
  word: string;
  operand: OperandKind;
}

/** How STD writes operations. */
export type Mnemonic =
  | 'r'
  | 'w'
  | 'u'
  | 'acq'
  | 'rel'
  | 'fork'
  | 'join'
  | 'begin'
  | 'end'
  | 'arrive'
  | 'leave'
  | 'vr'
  | 'vw'
  | 'vu'
  | 'send'
  | 'receive'
  | 'notify'
  | 'wait';

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
  { mnemonic: 'vr', word: 'volatile read', operand: 'variable' },
  { mnemonic: 'vw', word: 'volatile write', operand: 'variable' },
  { mnemonic: 'vu', word: 'volatile update', operand: 'variable' },
  { mnemonic: 'send', word: 'sending', operand: 'message' },
  { mnemonic: 'receive', word: 'receipt', operand: 'message' },
  { mnemonic: 'notify', word: 'notification', operand: 'condition' },
  { mnemonic: 'wait', word: 'wait', operand: 'condition' },
];

export const OPERATION_COUNT = OPERATIONS.length;
export const MNEMONICS: readonly Mnemonic[] = OPERATIONS.map(({ mnemonic }) => mnemonic);
export const OPERATION_WORDS: readonly string[] = OPERATIONS.map(({ word }) => word);
export const OPERAND_KINDS: readonly OperandKind[] = OPERATIONS.map(({ operand }) => operand);

/** By operation: as which of read, write and update it conflicts; `skip` for what is no access. */
const ACCESS_KINDS = Uint8Array.from([...OPERATIONS, null], (operation, op) => {
  if (operation?.operand !== 'variable') return Op.skip;
  return op < Op.volatileRead ? op : op - Op.volatileRead;
});

/** Whether a variable is accessed, in whatever way. */
export function isAccess(op: number): boolean {
  return ACCESS_KINDS[op] !== Op.skip;
}

/** The plain access that conflicts as this access does: `read`, `write` or `update`; `skip` for what is none. */
export function accessKind(op: number): AccessKind | typeof Op.skip {
  return ACCESS_KINDS[op] as AccessKind | typeof Op.skip;
}

/** Whether what comes before the operation happens before what follows a later `isReceipt` on the same channel. */
export function isDispatch(op: number): boolean {
  return op === Op.send || op === Op.notify;
}

export function isReceipt(op: number): boolean {
  return op === Op.receive || op === Op.wait;
}

/** Messages and conditions order events in the same way. They are numbered together, as channels. */
export function channelOf(op: number, operand: number): number {
  return 2 * operand + (op === Op.notify || op === Op.wait ? 1 : 0);
}

export function isConditionChannel(channel: number): boolean {
  return channel % 2 === 1;
}

/**
 * Whether the operation makes threads wait for each other, whatever they access. These are what ends a
 * transaction under `--fork-join boundary` (Wang and Stoller, §2).
 */
export function isBoundary(op: number): boolean {
  return (op >= Op.fork && op <= Op.join) || isOfBarrier(op) || isDispatch(op) || isReceipt(op);
}

export function isOfBarrier(op: number): boolean {
  return op === Op.arrive || op === Op.leave;
}
