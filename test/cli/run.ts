import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { JsonReport, JsonResult } from '../../src/check/json-results.ts';

/** The program as it is installed; `npm test` builds it first. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run "npm run build" first`);

export const FIXTURES = fileURLToPath(new URL('../fixtures/examples/', import.meta.url));

export interface Run {
  /** Null when a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string | Uint8Array;
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs the program as a user does, in a process of its own. */
export function trackside(args: readonly string[], options: RunOptions = {}): Run {
  const { NO_COLOR: _, FORCE_COLOR: __, GITHUB_ACTIONS: ___, ...environment } = process.env;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...environment, ...options.env },
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

export interface CheckRun extends Run {
  report: JsonReport;
  /** The first result, which most tests are about. */
  result: JsonResult;
}

/** `trackside check … --reporter json`, with the document taken apart. */
export function check(args: readonly string[], options: RunOptions = {}): CheckRun {
  const run = trackside(['check', ...args, '--reporter', 'json'], options);
  const report = JSON.parse(run.stdout) as JsonReport;
  return { ...run, report, result: report.results[0] };
}

/** A folder for the files of one test file; it is gone when the tests are over. */
export function temporaryFolder(): {
  path: string;
  write(name: string, content: string | Uint8Array): string;
} {
  const path = mkdtempSync(join(tmpdir(), 'trackside-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  return { path, write };
}

/** A lost update: at event 4, `T0`'s block `pay` writes what it read before `T1` wrote it. */
export const LOST_UPDATE = `T0|begin(pay)|1
T0|r(balance)|2
T1|w(balance)|3
T0|w(balance)|4
T0|end(pay)|5
`;

/** A block that reads twice and sees two values: only a warning. */
export const UNREPEATABLE_READ = `T0|begin(audit)|1
T0|r(balance)|2
T1|w(balance)|3
T0|r(balance)|4
T0|end(audit)|5
`;

export const CLEAN = `T0|begin(pay)|1
T0|r(balance)|2
T0|w(balance)|4
T0|end(pay)|5
T1|w(balance)|3
`;
