import { mnemonicOf, operandOf } from '../check/operation-text.ts';
import type { AnalysisResult, EventResult } from '../check/result.ts';
import { fitted } from './layout.ts';

const NAME = 40;

/** What a thread does, by the operation as STD writes it. */
const VERBS: ReadonlyMap<string, string> = new Map([
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
  ['vr', 'reads volatile'],
  ['vw', 'writes volatile'],
  ['vu', 'updates volatile'],
  ['send', 'sends'],
  ['receive', 'receives'],
  ['notify', 'notifies'],
  ['wait', 'has waited for'],
]);

/** `reads`, for `r`; the mnemonic itself where it is none of ours. */
export function verbOf(mnemonic: string): string {
  return VERBS.get(mnemonic) ?? mnemonic;
}

/** `teller-1 reads alice.balance`, safe to print. */
export function deedText({ thread, op }: EventResult): string {
  const verb = VERBS.get(mnemonicOf(op));
  const name = fitted(thread, NAME);
  return verb === undefined
    ? `${name}: ${fitted(op, NAME)}`
    : `${name} ${verb} ${fitted(operandOf(op), NAME)}`;
}

export function isLocking(op: string): boolean {
  return mnemonicOf(op) === 'acq' || mnemonicOf(op) === 'rel';
}

export function isRead(op: string): boolean {
  return mnemonicOf(op) === 'r' || mnemonicOf(op) === 'vr';
}

/** Where the events of a result come from; undefined for a trace. */
export type Origin = AnalysisResult['origin'];

/** What is called a thread in a trace is a task in a program. */
export function threadWord(origin: Origin): 'task' | 'thread' {
  return origin === 'program' ? 'task' : 'thread';
}
