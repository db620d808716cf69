import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'vitest';
import type { JsonReport, JsonViolation } from '../../src/check/json-results.ts';
import { MAIN, temporaryFolder } from '../cli/run.ts';

/*
 * Small programs, each with what must come out of it in comments at its top:
 *
 *   // expect: ok                      nothing of severity error
 *   // expect: violation <label>       an error, blamed on this block, and on no other that is not named
 *   // expect: warning <label>         a warning for this block
 *   // expect: note <label>            a note for it
 *   // because: <rule>                 something that this rule has decided about
 *   // not because: <rule>             nothing that it has
 *   // options: <options>              of `trackside run`, besides the usual ones
 *   // prints: <line>                  a line of the output, for what Node cannot run by itself, or takes long to
 *   // skip: <reason>                  what is known not to come out so
 *
 * A violation lies between the lines marked (1) and (2); a comment of its own marks the line after it. Without us the
 * program must print the same and end in the same way.
 */

const results = temporaryFolder();

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function node(folder: string, ...args: string[]): Promise<Ended> {
  const { NO_COLOR: _, FORCE_COLOR: __, GITHUB_ACTIONS: ___, NODE_OPTIONS: ____, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}

class Expectation {
  readonly #lines: readonly string[];

  constructor(source: string) {
    this.#lines = source.split('\n');
  }

  /** What the comments of this kind say. */
  all(kind: string): string[] {
    const start = `// ${kind} `;
    return this.#lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  }

  /** The numbers of the lines with this mark. */
  marked(mark: string): number[] {
    return this.#lines.flatMap((line, i) => {
      if (!/\/\/ \(/.test(line) || !line.includes(mark)) return [];
      return /^\s*\/\/ \(/.test(line) ? [i + 2] : [i + 1];
    });
  }
}

/** The lines of the two accesses of a block that something came between. */
function linesOf({ interference }: JsonViolation): string {
  const line = (location: string | null | undefined) => location?.match(/:(\d+)(:\d+)?$/)?.[1];
  return `${line(interference?.first.location)} ${line(interference?.last.location)}`;
}

/** The programs in a folder, by name. */
export function programsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.[cm]?[jt]sx?$/.test(name));
}

/** Declares a test for each program in the folder. */
export function testPrograms(folder: string): void {
  describe.concurrent('what is said of', () => {
    for (const name of programsIn(folder)) {
      const expectation = new Expectation(readFileSync(join(folder, name), 'utf8'));
      const isSkipped = expectation.all('skip:').length > 0;
      (isSkipped ? test.skip : test)(name, async ({ expect }) => check(folder, name, expectation, expect));
    }
  });
}

async function check(
  folder: string,
  name: string,
  expectation: Expectation,
  expect: typeof import('vitest').expect,
) {
  const options = expectation.all('options:').flatMap((line) => line.split(' '));
  const json = join(results.path, `${basename(name)}.json`);
  const watched = await node(
    folder,
    MAIN,
    'run',
    '--no-live',
    '--notes',
    ...options,
    '--reporter',
    `json=${json}`,
    name,
  );
  // First of all: a program that has failed has no violations either.
  const printed = expectation.all('prints:').map((line) => `${line}\n`);
  const plain =
    printed.length > 0 || /\.[cm]?tsx?$/.test(name)
      ? { code: 0, stdout: printed.join(''), stderr: '' }
      : await node(folder, name);
  expect(watched.stdout).toBe(plain.stdout);
  expect(watched.stderr).toBe(plain.stderr);

  const report = JSON.parse(readFileSync(json, 'utf8')) as JsonReport;
  const { violations, error } = report.results[0];
  expect(error ?? null).toBe(null);

  const labels = (severity: string) =>
    new Set(violations.filter((found) => found.severity === severity).map(({ block }) => block?.label));
  const expected = expectation.all('expect: violation');
  expect([...labels('error')].sort()).toEqual(expected.sort());
  for (const severity of ['warning', 'note'])
    for (const label of expectation.all(`expect: ${severity}`)) expect(labels(severity)).toContain(label);

  const rules = violations.map(({ because }) => because?.rule);
  for (const rule of expectation.all('because:')) expect(rules).toContain(rule);
  for (const rule of expectation.all('not because:')) expect(rules).not.toContain(rule);

  const first = expectation.marked('(1)');
  if (first.length > 0) {
    const places = first.flatMap((one) => expectation.marked('(2)').map((two) => `${one} ${two}`));
    const found = violations.filter(({ severity }) => severity === 'error').map(linesOf);
    expect(places.filter((place) => found.includes(place))).not.toEqual([]);
  }
  expect(watched.code).toBe(plain.code === 0 && expected.length > 0 ? 1 : plain.code);
}
