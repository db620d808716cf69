import type { ViolationResult } from '../check/result.ts';
import { printable } from '../trace/printable.ts';
import { type Column, grouped, table } from './layout.ts';
import { patternWords } from './violation-text.ts';

/** The violations of one label. */
export interface Group {
  example: ViolationResult;
  count: number;
}

/** One group for each label, the worst first, shown by the first violation that has a cycle to show. */
export function groupedByLabel(violations: readonly ViolationResult[]): Group[] {
  const groups = new Map<string | null, Group>();
  for (const violation of violations) {
    const label = violation.block?.label ?? null;
    const group = groups.get(label);
    if (group === undefined) {
      groups.set(label, { example: violation, count: 1 });
    } else {
      group.count++;
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
