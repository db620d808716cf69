import { createHash } from 'node:crypto';
import { operationText } from './operation-text.ts';
import type { EventResult, ViolationResult } from './result.ts';

/**
 * What stays the same about a violation when the program runs again: the analysis, the kind, the pattern, the
 * label of the block, and what was done where along the cycle. Threads and event numbers differ from run to run.
 */
export function fingerprintOf(analysis: string, violation: ViolationResult): string {
  const { kind, pattern, block, cycle, interference, related, message } = violation;
  const facts = [
    analysis,
    kind,
    pattern,
    block === null ? null : block.label,
    // Where a cycle starts is chance if no block is to blame.
    cycle.map(({ from, to }) => JSON.stringify([deed(from), deed(to)])).sort(),
    interference === null ? null : [interference.first, interference.between, interference.last].map(deed),
    related.map((event) => JSON.stringify([event.role, deed(event)])).sort(),
    // There is nothing else to tell one from another.
    ...(kind === 'failure' ? [message] : []),
  ];
  // As JSON, in which no name can pass for two, or for a part of another field.
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}

function deed(event: EventResult): [string, string | null] {
  return [operationText(event), event.location];
}
