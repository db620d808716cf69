import type { AdviceRow, Case } from './row.ts';

/** By the pattern, in a trace of what was observed. */
const is = (pattern: string) => (one: Case) =>
  one.accesses !== '' &&
  one.violation.pattern === pattern &&
  (one.violation.kind === 'transaction' || one.violation.kind === 'trace');

/** Advice for traces of threads, of which only the events are known. */
export const TRACE_ROWS: readonly AdviceRow[] = [
  {
    name: 'lost-update',
    of: 'trace',
    applies: is('lost-update'),
    why: ({ variable, own, other, first, between, last }) =>
      `${own} writes ${variable} (event ${last}) based on a stale read (event ${first}): ${other} changed it in between (event ${between}). Either that change is lost, or ${own} acts on a check that no longer holds (check-then-act).`,
    fix: ({ variable, first, last }) =>
      `Hold one lock from event ${first} to event ${last}; a lock for each access alone does not help. Or use one atomic operation, such as compare-and-set, or read ${variable} again right before writing it and start over if it has changed.`,
  },
  {
    name: 'overwritten-before-read',
    of: 'trace',
    applies: is('overwritten-before-read'),
    why: ({ variable, own, other, first, between, last }) =>
      `${own} reads ${variable} (event ${last}) as if it still held what it wrote (event ${first}), but ${other} wrote it in between (event ${between}): it goes on with a value that is not its own.`,
    fix: ({ first, last }) =>
      `Keep the value in a variable of its own instead of reading it back, or hold one lock from event ${first} to event ${last}.`,
  },
  {
    name: 'overwritten-twice',
    of: 'trace',
    applies: is('overwritten-twice'),
    why: ({ variable, own, other, first, between, last }) =>
      `${own} writes ${variable} twice (events ${first} and ${last}), and what ${other} wrote in between (event ${between}) is lost, or was computed from half of what the block does.`,
    fix: ({ variable, first, last }) =>
      `Write ${variable} once, at the end, or hold one lock from event ${first} to event ${last}.`,
  },
  {
    name: 'unrepeatable-read',
    of: 'trace',
    applies: is('unrepeatable-read'),
    why: ({ variable, own, other, first, between, last }) =>
      `${own} reads ${variable} twice (events ${first} and ${last}) and may see two values, as ${other} changed it in between (event ${between}): a non-repeatable read. What was decided by the first need not fit the second.`,
    fix: ({ variable, first, last }) =>
      `Read ${variable} once and keep the value, or hold one lock from event ${first} to event ${last}.`,
  },
  {
    name: 'intermediate-value-seen',
    of: 'trace',
    applies: is('intermediate-value-seen'),
    why: ({ variable, own, other, first, between, last }) =>
      `${other} reads ${variable} (event ${between}) between two writes of the block (events ${first} and ${last}): a value that ${own} has not finished with, a dirty read.`,
    fix: ({ variable, other, first, last }) =>
      `Compute the value first and write ${variable} once, or hold one lock from event ${first} to event ${last} and let ${other} take the same lock to read.`,
  },
];
