import { accessKind, Op } from '../trace/operation.ts';

/** `note`: worth knowing, and most likely meant to be so. Only programs have notes. */
export type Severity = 'error' | 'warning' | 'note';

/** The patterns of SEMANTICS, by the names that the JSON report uses. */
export type PatternName =
  | 'lost-update'
  | 'overwritten-before-read'
  | 'overwritten-twice'
  | 'unrepeatable-read'
  | 'intermediate-value-seen'
  | 'multi-variable-cycle';

/**
 * The pattern of two accesses of a block to one variable with an access of another thread between them that
 * conflicts with both.
 *
 * An update counts as a write wherever it stands. Between two accesses it changes what the block has seen or
 * left behind, as a write does; and a block that updates does not look at the value, or its front end would
 * have recorded a read: so `r u' w` is a lost update, while `w w' u` is no `overwritten-before-read`.
 */
export function patternOf(first: Op, between: Op, last: Op): PatternName {
  if (accessKind(between) === Op.read) return 'intermediate-value-seen';
  const isReadLast = accessKind(last) === Op.read;
  if (accessKind(first) === Op.read) return isReadLast ? 'unrepeatable-read' : 'lost-update';
  return isReadLast ? 'overwritten-before-read' : 'overwritten-twice';
}

/** Errors are the patterns in which somebody's write is lost or a value is used that is no longer true. */
export function severityOf(pattern: PatternName): Severity {
  return pattern === 'lost-update' || pattern === 'overwritten-before-read' ? 'error' : 'warning';
}

/** Whether two accesses to one variable conflict: reads commute among themselves, and so do updates. */
export function accessesConflict(a: Op, b: Op): boolean {
  return accessKind(a) !== accessKind(b) || accessKind(a) === Op.write;
}
