import { describe, expect, it } from 'vitest';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

/**
 * Several batches: blocks of several threads, some of them violated, and names of all kinds. There are so many that variables get their ids where they
 * are analyzed.
 */
function longTrace(): string[] {
  const lines = ['T0|fork(gone)|1', 'gone|r(V5.6[2])|2', 'T0|join(gone)|3'];
  for (let i = 0; i < 40_000; i++) lines.push(`T0|w(X${i % 9}.${i}[${i % 4}])|${i % 300}`);
  for (let i = 0; i < 4000; i++) {
    const thread = `T${i % 5}`;
    const variable = i % 3 === 0 ? `V${i % 97}` : `V${i % 7}.${i % 1013}[${i % 4}]`;
    lines.push(`${thread}|begin(step${i % 11})|${i % 200}`, `${thread}|acq(L${i % 3})|1`);
    lines.push(`${thread}|r(${variable})|2`, `${thread}|w(${variable})|3`);
    if (i % 900 === 899) lines.push(`other|w(${variable})|4`, `${thread}|w(${variable})|5`);
    lines.push(`${thread}|w(W${thread}.${i})|6`, `${thread}|rel(L${i % 3})|7`);
    lines.push(`${thread}|end(step${i % 11})|8`);
  }
  return lines;
}

/** What differs from run to run. */
const MEASURED: ReadonlySet<string> = new Set(['milliseconds', 'allocatedBytes', 'date']);

interface Outcome {
  status: number | null;
  report: unknown;
  stderr: string;
}

/** What a check of the trace says, less what is measured. */
function outcome(path: string, threads: 1 | 2, ...args: string[]): Outcome {
  const given = ['check', '--analysis', 'regiontrack,fasttrack', '--reporter', 'json', ...args, path];
  const { status, stdout, stderr } = trackside(given, { env: { TRACKSIDE_THREADS: String(threads) } });
  const timeless = (key: string, value: unknown) => (MEASURED.has(key) ? undefined : value);
  return { status, report: JSON.parse(stdout, timeless), stderr };
}

describe('analyses in a thread of their own', () => {
  const lines = longTrace();
  const middle = Math.floor(lines.length * 0.9);
  const broken = (line: string) => [...lines.slice(0, middle), line, ...lines.slice(middle)];

  it.each([
    ['all of a trace', lines, []],
    ['a trace up to a line that cannot be read', broken('T1|what(is this)|9'), []],
    ['a trace up to an event that cannot be', broken('T1|rel(nobody has it)|9'), []],
    ['a trace up to an access of a thread that is over', broken('gone|w(V5.6[2])|9'), []],
    ['a trace with names that are longer than others', [...lines, `T1|w(${'long'.repeat(75_000)})|9`], []],
    ['a repaired trace', broken('T1|rel(nobody has it)|9'), ['--lenient', '--fork-join', 'boundary']],
  ])('say about %s what they say in one', (name, given, args) => {
    const path = folder.write(`${name}.std`, `${given.join('\n')}\n`);
    const apart = outcome(path, 2, ...args);
    expect(apart).toEqual(outcome(path, 1, ...args));
    expect(JSON.stringify(apart.report)).toContain('"violations":[{');
  });
});
