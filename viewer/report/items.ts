import { operationText } from '../../src/check/operation-text.ts';
import type { KnownViolation, RunResult, Severity } from '../../src/check/result.ts';
import type { PageResult, PageViolation } from '../../src/report/html-data.ts';
import { headline, patternWords } from '../../src/report/violation-text.ts';
import { partsOf, unpackedText } from '../shared/parts.ts';

/** One violation of the report, with what it is found by. */
export interface Item {
  /** Its position in the report, from 0. */
  index: number;
  result: PageResult;
  violation: PageViolation;
  /** Everything that a search looks at, in lower case. */
  text: string;
}

export interface ReportData {
  results: PageResult[];
  items: Item[];
  fixed: KnownViolation[] | null;
  runs: RunResult[];
}

export async function loadReport(): Promise<ReportData> {
  const texts = await Promise.all(partsOf('results').map(unpackedText));
  const results = texts.map((text) => JSON.parse(text) as PageResult);
  const items: Item[] = [];
  for (const result of results) {
    for (const violation of result.violations) {
      items.push({ index: items.length, result, violation, text: searchable(result, violation) });
    }
  }
  const [fixed] = partsOf('fixed');
  const [runs] = partsOf('runs');
  return {
    results,
    items,
    fixed: fixed === undefined ? null : (JSON.parse(await unpackedText(fixed)) as KnownViolation[]),
    runs: runs === undefined ? [] : (JSON.parse(await unpackedText(runs)) as RunResult[]),
  };
}

function searchable(result: PageResult, violation: PageViolation): string {
  const words = [
    headline(violation, result.origin),
    violation.message,
    result.trace,
    result.analysis,
    violation.kind,
  ];
  if (violation.pattern !== null) words.push(patternWords(violation.pattern));
  for (const { from, to } of violation.cycle.slice(0, 50)) {
    words.push(
      operationText(from),
      operationText(to),
      from.thread,
      to.thread,
      from.location ?? '',
      to.location ?? '',
    );
  }
  for (const event of violation.related.slice(0, 50))
    words.push(operationText(event), event.thread, event.location ?? '');
  return words.join('\n').toLowerCase();
}

/** What can be chosen from; the empty text stands for all. */
export interface Filter {
  search: string;
  severity: string;
  pattern: string;
  kind: string;
  analysis: string;
  trace: string;
}

export const NO_FILTER: Filter = {
  search: '',
  severity: '',
  pattern: '',
  kind: '',
  analysis: '',
  trace: '',
};

export type Facet = Exclude<keyof Filter, 'search'>;

export function facetOf({ result, violation }: Item, facet: Facet): string {
  switch (facet) {
    case 'severity':
      return violation.severity;
    case 'pattern':
      return violation.pattern ?? 'none';
    case 'kind':
      return violation.kind;
    case 'analysis':
      return result.analysis;
    case 'trace':
      return result.trace;
  }
}

export const FACETS: readonly Facet[] = ['severity', 'pattern', 'kind', 'analysis', 'trace'];

export function matching(items: readonly Item[], filter: Filter): Item[] {
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return items.filter(
    (item) =>
      FACETS.every((facet) => filter[facet] === '' || facetOf(item, facet) === filter[facet]) &&
      words.every((word) => item.text.includes(word)),
  );
}

/** The violations of one block, the list's unit. */
export interface Group {
  label: string;
  /** Whether the label is that of a block, or stands for a kind that has none. */
  isBlock: boolean;
  severity: Severity;
  items: Item[];
}

/** By block, those with errors first, then those with most. */
export function groups(items: readonly Item[]): Group[] {
  const found = new Map<string, Group>();
  for (const item of items) {
    const { block, kind, severity } = item.violation;
    const key = block === null ? `kind ${kind}` : `block ${block.label}`;
    let group = found.get(key);
    if (group === undefined) {
      group = { label: block?.label ?? withoutBlock(kind), isBlock: block !== null, severity, items: [] };
      found.set(key, group);
    }
    group.items.push(item);
    if (severity === 'error') group.severity = 'error';
  }
  const rank = ({ severity }: Group) => (severity === 'error' ? 0 : 1);
  return [...found.values()].sort((a, b) => rank(a) - rank(b) || b.items.length - a.items.length);
}

function withoutBlock(kind: string): string {
  if (kind === 'race') return 'data races';
  if (kind === 'deadlock') return 'potential deadlocks';
  if (kind === 'failure') return 'runs that failed';
  return 'no block to blame';
}
