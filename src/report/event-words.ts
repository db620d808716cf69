import type { AnalysisResult, EventResult, OperationResult } from '../check/result.ts';
import type { Mnemonic } from '../trace/operation.ts';
import { fitted } from './layout.ts';

const NAME = 40;

/** What a thread does, by the operation as STD writes it. */
const VERBS: Readonly<Record<Mnemonic, string>> = {
  r: 'reads',
  w: 'writes',
  u: 'updates',
  acq: 'acquires',
  rel: 'releases',
  fork: 'forks',
  join: 'joins',
  begin: 'begins',
  end: 'ends',
  arrive: 'arrives at',
  leave: 'leaves',
  vr: 'reads volatile',
  vw: 'writes volatile',
  vu: 'updates volatile',
  send: 'sends',
  receive: 'receives',
  notify: 'notifies',
  wait: 'has waited for',
};

/** `reads`, for `r`. */
export function verbOf(op: Mnemonic): string {
  return VERBS[op];
}

/** `teller-1 reads alice.balance`, safe to print. */
export function deedText({ thread, op, operand }: EventResult): string {
  return `${fitted(thread, NAME)} ${VERBS[op]} ${fitted(operand, NAME)}`;
}

export function isLocking({ kind }: OperationResult): boolean {
  return kind === 'lock';
}

export function isRead({ op }: OperationResult): boolean {
  return op === 'r' || op === 'vr';
}

/** Where the events of a result come from; undefined for a trace. */
export type Origin = AnalysisResult['origin'];

/** What is called a thread in a trace is a task in a program. */
export function threadWord(origin: Origin): 'task' | 'thread' {
  return origin === 'program' ? 'task' : 'thread';
}
