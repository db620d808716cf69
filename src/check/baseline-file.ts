import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { fileOf, fingerprintOf } from './fingerprint.ts';
import { mismatch, type RootSchema } from './json-schema.ts';
import type { CheckReport, KnownViolation, Severity, Tool, ViolationResult } from './result.ts';
import { parseResults } from './saved-results.ts';

/*
 * The file that `--update-baseline` writes: a line of facts for each violation and nothing that changes by itself, so that it
 * can be kept beside the sources. Saved results (JSON) can be a baseline, too.
 */

interface Entry {
  fingerprint: string;
  analysis: string;
  trace: string;
  file: string | null;
  kind: string;
  severity: string;
  pattern: string | null;
  block: string | null;
}

const SCHEMA: RootSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'trackside-baseline.schema.json',
  title: 'What trackside --update-baseline writes',
  type: 'object',
  required: ['tool', 'baseline'],
  properties: { baseline: { type: 'array', items: { $ref: '#/$defs/entry' } } },
  $defs: {
    entry: {
      type: 'object',
      required: ['fingerprint', 'analysis', 'trace', 'file', 'kind', 'severity', 'pattern', 'block'],
      properties: {
        fingerprint: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        analysis: { type: 'string' },
        trace: { type: 'string' },
        file: { type: ['string', 'null'] },
        kind: { type: 'string' },
        severity: { type: 'string' },
        pattern: { type: ['string', 'null'] },
        block: { type: ['string', 'null'] },
      },
    },
  },
};

/** The violations that a file lists: a baseline, or saved results. */
export function parseBaseline(text: string, file: string): KnownViolation[] {
  const document = documentIn(text);
  if (!isBaseline(document)) return knownIn(parseResults(text, file), file);
  const wrong = mismatch(document, SCHEMA);
  if (wrong === null) return (document.baseline as Entry[]).map(knownOf);
  throw new InputProblem(`this is not a baseline: ${printable(wrong.path, 200)} is not as expected`, {
    file,
    found: wrong.found,
    expected: wrong.expected,
  });
}

export function baselineText(tool: Tool, known: readonly KnownViolation[]): string {
  const entries = known.map(
    ({ fingerprint, analysis, trace, file = null, violation }): Entry => ({
      fingerprint,
      analysis,
      trace,
      file,
      kind: violation.kind,
      severity: violation.severity,
      pattern: violation.pattern,
      block: violation.block?.label ?? null,
    }),
  );
  const ordered = entries.map((entry) => JSON.stringify(entry)).sort(byFile(entries));
  const lines = ordered.map((entry) => `\n    ${entry}`).join(',');
  return `{\n  "tool": ${JSON.stringify({ name: tool.name })},\n  "baseline": [${lines}${lines === '' ? '' : '\n  '}]\n}\n`;
}

/** By file and block, so that what belongs together stands together; then by anything that does not change. */
function byFile(entries: readonly Entry[]): (a: string, b: string) => number {
  const keys = new Map(
    entries.map((entry) => [
      JSON.stringify(entry),
      JSON.stringify([entry.file ?? '', entry.block ?? '', entry.fingerprint]),
    ]),
  );
  return (a, b) => ((keys.get(a) as string) < (keys.get(b) as string) ? -1 : 1);
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isBaseline(document: unknown): document is { baseline: unknown } {
  return typeof document === 'object' && document !== null && 'baseline' in document;
}

/** What is reported of one that is gone: no more than is kept of it. */
function knownOf({
  fingerprint,
  analysis,
  trace,
  file,
  kind,
  severity,
  pattern,
  block,
}: Entry): KnownViolation {
  const violation: ViolationResult = {
    kind: kind as ViolationResult['kind'],
    severity: severity as Severity,
    pattern,
    event: 0,
    thread: '',
    block: block === null ? null : { label: block, begin: 0, end: null },
    cycle: [],
    interference: null,
    related: [],
    message: '',
  };
  return { fingerprint, analysis, trace, file, count: 1, violation };
}

function knownIn({ results }: CheckReport, file: string): KnownViolation[] {
  const found = new Map<string, KnownViolation>();
  for (const result of results) {
    const { analysis, trace, violations, known = 0, knownViolations = [] } = result;
    if (known > knownViolations.length) {
      throw new InputProblem('these results cannot be a baseline: they lack what another baseline hid', {
        file,
        found: `${known} hidden violations`,
        expected: 'results that list them, as check --reporter json and --update-baseline write them',
      });
    }
    for (const violation of [...knownViolations, ...violations]) {
      const one = {
        fingerprint: fingerprintOf(result, violation),
        analysis,
        trace,
        file: fileOf(violation),
        count: 1,
        violation,
      };
      const same = found.get(keyOf(one));
      if (same === undefined) found.set(keyOf(one), one);
      else same.count++;
    }
  }
  return [...found.values()];
}

/** What tells violations apart that look the same in several files. */
export function keyOf({ fingerprint, file = null }: Pick<KnownViolation, 'fingerprint' | 'file'>): string {
  return `${fingerprint} ${file ?? ''}`;
}
