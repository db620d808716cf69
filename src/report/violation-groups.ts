import type { ViolationResult } from '../check/result.ts';
import { violatedBlocks } from '../check/violated-blocks.ts';
import { printable } from '../trace/printable.ts';
import { type Column, grouped, table } from './layout.ts';
import { patternWords } from './violation-text.ts';

/** Violations that are shown by one of them. */
export interface Group {
  example: ViolationResult;
  /** How many blocks were violated, and how many of them are listed in the results. */
  count: number;
  listed: number;
}

/** One group for each label, the worst first, shown by the first violation that has a cycle to show. */
export function groupedByLabel(violations: readonly ViolationResult[]): Group[] {
  return groupedBy(violations, ({ block }) => block?.label ?? null);
}

/** One group for those of one block that have the same pattern at the same places. */
export function groupedBySimilarity(violations: readonly ViolationResult[]): Group[] {
  return groupedBy(violations, (violation) => {
    const { block, kind, pattern, interference } = violation;
    // What was not explained has nothing to be compared by.
    if (block === null || interference === null) return violation;
    const places = [interference.first, interference.between, interference.last].map(
      ({ op, location }) => location ?? op,
    );
    return JSON.stringify([block.label, kind, pattern, places]);
  });
}

function groupedBy(
  violations: readonly ViolationResult[],
  keyOf: (violation: ViolationResult) => unknown,
): Group[] {
  const groups = new Map<unknown, Group>();
  for (const violation of violations) {
    const key = keyOf(violation);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { example: violation, count: violatedBlocks([violation]), listed: 1 });
    } else {
      group.count += violatedBlocks([violation]);
      group.listed++;
      if (telling(violation) > telling(group.example)) group.example = violation;
    }
  }
  return [...groups.values()].sort((a, b) => telling(b.example) - telling(a.example));
}

function telling({ severity, cycle }: ViolationResult): number {
  return (severity === 'error' ? 4 : severity === 'warning' ? 2 : 0) + (cycle.length > 0 ? 1 : 0);
}

const COLUMNS: readonly Column[] = [
  { title: 'severity', align: 'left' },
  { title: 'pattern', align: 'left' },
  { title: 'block', align: 'left' },
  { title: 'count', align: 'right' },
  { title: 'event', align: 'right' },
];

/** One line for each group. */
export function groupTable(groups: readonly Group[]): string[] {
  const rows = groups.map(({ example: { severity, pattern, block, event }, count }) => [
    severity,
    pattern === null ? '-' : patternWords(pattern),
    block === null ? '-' : printable(block.label, 30),
    grouped(count),
    String(event),
  ]);
  return table(COLUMNS, rows);
}
