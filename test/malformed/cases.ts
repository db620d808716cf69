/**
 * What must be refused, one file in `files/` for each case, and what must not. Each message names the line, the
 * column, what was found and what was expected; the file's own name stands before it.
 */
export interface MalformedCase {
  file: string;
  line: number;
  column: number;
  message: string;
  /** How many events count before the problem. */
  events: number;
  /** How many events `--lenient` looks at, and how many repairs it makes. */
  lenient: { events: number; repairs: number };
}

const SHAPE = 'thread|operation(operand)|location';

export const MALFORMED: readonly MalformedCase[] = [
  {
    file: 'missing-operand.std',
    line: 2,
    column: 5,
    message: `w lacks its operand; found 'T0|w|2'; expected w(operand)`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'empty-operand.std',
    line: 2,
    column: 8,
    message: 'the operand of acq is empty; found acq(); expected acq(operand)',
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'unended-operand.std',
    line: 2,
    column: 9,
    message: `the operand of w does not end; found 'T0|w(x|2'; expected ')' and then '|' or the end of the line`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'unknown-operation.std',
    line: 2,
    column: 4,
    message: `unknown operation; found 'frobnicate'; expected one of r, w, u, acq, rel, fork, join, begin, end, arrive, leave, vr, vw, vu, send, receive, notify, wait`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'missing-operation.std',
    line: 2,
    column: 1,
    message: `this line is not an event; found 'T0'; expected ${SHAPE}`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'missing-thread.std',
    line: 2,
    column: 1,
    message: `the thread name is missing; found '|'; expected ${SHAPE}`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'truncated-last-line.std',
    line: 2,
    column: 9,
    message: `the operand of w does not end; found 'T0|w(bal'; expected ')' and then '|' or the end of the line`,
    events: 1,
    lenient: { events: 1, repairs: 1 },
  },
  {
    file: 'nul-bytes.std',
    line: 2,
    column: 7,
    message: `a text trace holds no NUL bytes; found a NUL byte; expected a line of text, ${SHAPE}`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'prose.std',
    line: 1,
    column: 1,
    message: `this line is not an event; found 'Dear diary,'; expected ${SHAPE}`,
    events: 0,
    lenient: { events: 0, repairs: 2 },
  },
  {
    file: 'unknown-cell.csv',
    line: 3,
    column: 2,
    message: `unknown operation; found 'frobnicate(x)|2'; expected one of r, w, u, acq, rel, begin, enter, end, exit, fork, start, join, arrive, leave, vr, vw, vu, send, receive, notify, wait`,
    events: 1,
    lenient: { events: 1, repairs: 1 },
  },
  {
    file: 'two-cells-in-a-row.csv',
    line: 2,
    column: 8,
    message: `a row with two events, in columns 1 and 2; found 'r(x)|1' and 'w(x)|2'; expected one event a row`,
    events: 0,
    lenient: { events: 0, repairs: 1 },
  },
  {
    file: 'cut-event.rr',
    line: 3,
    column: 10,
    message: `Wr lacks its operand, and the log ends there; found 'Wr(0'; expected Wr(thread,operand)`,
    events: 2,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'release-of-free-lock.std',
    line: 3,
    column: 4,
    message: `thread 'T0' releases lock 'l', which nobody holds; found rel(l) by thread 'T0'; expected an acquire of 'l' by thread 'T0' before it`,
    events: 2,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'release-by-another.std',
    line: 2,
    column: 4,
    message: `thread 'T1' releases lock 'l', which thread 'T0' holds; found rel(l) by thread 'T1'; expected an acquire of 'l' by thread 'T1' before it`,
    events: 1,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'acquire-of-held-lock.std',
    line: 2,
    column: 4,
    message: `thread 'T1' acquires lock 'l', which thread 'T0' still holds; found acq(l) by thread 'T1'; expected a release of 'l' by thread 'T0' before it`,
    events: 1,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'end-without-begin.std',
    line: 3,
    column: 4,
    message: `thread 'T0' ends block 'pay', but has no open block; found end(pay) by thread 'T0'; expected a begin(pay) by thread 'T0' before it`,
    events: 2,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'end-of-other-block.std',
    line: 3,
    column: 4,
    message: `thread 'T0' ends block 'pay', but its innermost open block is 'log'; found end(pay) by thread 'T0'; expected end(log)`,
    events: 2,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'fork-of-running-thread.std',
    line: 2,
    column: 4,
    message: `thread 'T0' forks thread 'T1', which already has events; found fork(T1) by thread 'T0'; expected the fork of 'T1' before its first event`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'fork-twice.std',
    line: 2,
    column: 4,
    message: `thread 'T2' forks thread 'T1', which was forked before; found fork(T1) by thread 'T2'; expected at most one fork for each thread`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'fork-of-itself.std',
    line: 2,
    column: 4,
    message: `thread 'T0' forks itself; found fork(T0) by thread 'T0'; expected a fork of another thread`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'join-of-itself.std',
    line: 2,
    column: 4,
    message: `thread 'T0' joins itself; found join(T0) by thread 'T0'; expected a join of another thread`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'event-after-join.std',
    line: 3,
    column: 4,
    message: `thread 'T1' has an event after it was joined; found w(x) by thread 'T1'; expected the join of 'T1' after its last event`,
    events: 2,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'arrive-twice.std',
    line: 2,
    column: 4,
    message: `thread 'T0' arrives at barrier 'b', where it has arrived before; found arrive(b) by thread 'T0'; expected a leave(b) by thread 'T0' before it`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'leave-without-arrive.std',
    line: 2,
    column: 4,
    message: `thread 'T1' leaves barrier 'b', at which it has not arrived; found leave(b) by thread 'T1'; expected an arrive(b) by thread 'T1' before it`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'receive-without-send.std',
    line: 2,
    column: 4,
    message: `thread 'T1' receives message 'm', which nobody has sent; found receive(m) by thread 'T1'; expected a send(m) before it`,
    events: 1,
    lenient: { events: 3, repairs: 1 },
  },
  {
    file: 'hostile-names.std',
    line: 2,
    column: 6,
    message: String.raw`thread '\x1b[2J' releases lock '\u202etxt.exe\x07', which nobody holds; found rel(\u202etxt.exe\x07) by thread '\x1b[2J'; expected an acquire of '\u202etxt.exe\x07' by thread '\x1b[2J' before it`,
    events: 1,
    lenient: { events: 2, repairs: 1 },
  },
  {
    file: 'violation-before-problem.std',
    line: 6,
    column: 4,
    message: `thread 'T0' releases lock 'l', which nobody holds; found rel(l) by thread 'T0'; expected an acquire of 'l' by thread 'T0' before it`,
    events: 5,
    lenient: { events: 6, repairs: 1 },
  },
];

/** Odd, but right: read without a word, with so many events. */
export const FINE: ReadonlyMap<string, number> = new Map([
  ['fine-blank-lines.std', 1],
  ['fine-byte-order-mark.std', 1],
  ['fine-crlf.std', 3],
  ['fine-emoji-names.std', 3],
  ['fine-empty.std', 0],
  ['fine-ends-without-labels.std', 4],
  ['fine-invalid-utf8.std', 2],
  ['fine-no-last-newline.std', 2],
  ['fine-open-blocks.std', 3],
  ['fine-proto-names.std', 3],
  ['fine-reentrant-locks.std', 5],
]);
