import type { DifferenceResult, ViolationResult } from '../check/result.ts';

/** What somebody can see of a run when it is over. */
export interface Outcome {
  code: number;
  /** What it wrote to standard output, line by line. */
  output: readonly string[];
  /** What an uncaught error said of itself; null if there was none. */
  error: string | null;
  /** What became of the test, if the run was one. */
  test?: string;
  /** What variables held in the end, by name. */
  values: ReadonlyMap<string, string>;
  /** What is in the files that it has changed, by name, line by line. */
  files: ReadonlyMap<string, readonly string[]>;
}

/** So many lines of a difference are kept. */
const MOST_LINES = 20;

const NO_TEST = 'not run';

/** The variables that violations are about. */
export function variablesOf(violations: readonly ViolationResult[]): Set<string> {
  return new Set(violations.flatMap(({ interference }) => interference?.first.operand ?? []));
}

/**
 * What is different in another run. The order of the lines of the output does not count: tasks that take turns may end in
 * another order, and that is nobody's harm. Of values only those of some variables count.
 */
export function differences(
  one: Outcome,
  other: Outcome,
  variables: ReadonlySet<string>,
): DifferenceResult[] {
  const found: DifferenceResult[] = [];
  if (one.code !== other.code)
    found.push({ what: 'exit code', observed: [`${one.code}`], serial: [`${other.code}`] });
  if (one.error !== other.error) found.push({ what: 'error', observed: said(one), serial: said(other) });
  if (one.test !== other.test)
    found.push({ what: 'test', observed: [one.test ?? NO_TEST], serial: [other.test ?? NO_TEST] });
  const observed = without(one.output, other.output);
  const serial = without(other.output, one.output);
  if (observed.length > 0 || serial.length > 0)
    found.push({
      what: 'output',
      observed: observed.slice(0, MOST_LINES),
      serial: serial.slice(0, MOST_LINES),
    });
  for (const [name, value] of one.values) {
    const otherwise = other.values.get(name);
    if (variables.has(name) && otherwise !== undefined && otherwise !== value)
      found.push({ what: 'value', name, observed: [value], serial: [otherwise] });
  }
  for (const [name, lines] of one.files) {
    // What only one of them has written may have a name that is new each time.
    const others = other.files.get(name);
    if (others === undefined || lines.join('\n') === others.join('\n')) continue;
    const [mine, theirs] = [without(lines, others), without(others, lines)];
    // The order of lines may be all that matters in a file, or nothing at all: in a log, it is the order of tasks.
    if (mine.length + theirs.length === 0) continue;
    found.push({
      what: 'file',
      name,
      observed: mine.slice(0, MOST_LINES),
      serial: theirs.slice(0, MOST_LINES),
    });
  }
  return found;
}

function said({ error }: Outcome): string[] {
  return error === null ? [] : [error];
}

/** The lines of the one that are not in the other, each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others.map(untimed)) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((timed) => {
    const line = untimed(timed);
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Test runners print how long each test took, which is never the same. */
function untimed(line: string): string {
  return line.replace(/\(\d+(?:\.\d+)? ?m?s\)|\bduration_ms:? [\d.]+/g, '(…)');
}
