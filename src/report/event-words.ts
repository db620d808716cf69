import type { AnalysisResult, EventResult, OperationResult, ViolationResult } from '../check/result.ts';
import type { Mnemonic } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import { fitted } from './layout.ts';

const NAME = 40;
/** Longest value; they are cut where they are recorded. */
const VALUE = 40;

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
export function deedText(event: EventResult): string {
  const { thread, op, operand } = event;
  return `${fitted(thread, NAME)} ${VERBS[op]} ${fitted(operand, NAME)}${valueText(event)}`;
}

/** ` = 100`, or nothing where the value is not known; safe to print. */
export function valueText({ value }: Pick<EventResult, 'value'>): string {
  return value === undefined ? '' : ` = ${printable(value, VALUE)}`;
}

const DID: Readonly<Partial<Record<Mnemonic, string>>> = {
  ...{ r: 'read', w: 'wrote', u: 'made it' },
  ...{ vr: 'read', vw: 'wrote', vu: 'made it' },
};

/** `It read 100; teller-2 wrote 30; it wrote 30.` Null where no value is known. */
export function valuesSentence({ interference }: Pick<ViolationResult, 'interference'>): string | null {
  if (interference === null) return null;
  const { first, between, last } = interference;
  const said = [first, between, last].flatMap(({ thread, op, value }, i) => {
    if (value === undefined || DID[op] === undefined) return [];
    const who = i === 1 ? fitted(thread, NAME) : 'it';
    return [`${who} ${DID[op]} ${printable(value, VALUE)}`];
  });
  if (said.length === 0) return null;
  // A task is named as it is, also at the start.
  return `${said.join('; ')}.`.replace(/^it /, 'It ');
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
