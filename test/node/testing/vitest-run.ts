import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

interface FileReport {
  name: string;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

export interface VitestRun {
  status: number | null;
  printed: string;
  files: Map<string, FileReport>;
  /** `file: test` of the tests that failed. */
  failed: string[];
  messages(file: string, test: string): string;
}

/** A version of Vitest, and the Node to run it with. */
export interface Vitest {
  script: string;
  node: string;
}

const OWN_VITEST: Vitest = {
  script: fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url)),
  node: process.execPath,
};

/** Runs the tests of a project; `options` are for its plugin. */
export function vitest(
  project: string,
  args: readonly string[],
  options: object = {},
  { script, node } = OWN_VITEST,
): VitestRun {
  const own = /^(?:VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|TRACKSIDE)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const scratch = mkdtempSync(join(tmpdir(), 'vitest-run-'));
  const output = join(scratch, 'results.json');
  const { status, stdout, stderr } = spawnSync(
    node,
    [script, 'run', '--reporter=default', '--reporter=json', `--outputFile=${output}`, ...args],
    { cwd: project, encoding: 'utf8', env: { ...env, FIXTURE_OPTIONS: JSON.stringify(options) } },
  );
  // There is none if Vitest did not even start.
  const report = existsSync(output) ? readFileSync(output, 'utf8') : '{ "testResults": [] }';
  rmSync(scratch, { recursive: true, force: true });
  const { testResults } = JSON.parse(report) as { testResults: FileReport[] };
  const files = new Map(testResults.map((file) => [basename(file.name), file]));
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: basename(name) })),
  );
  return {
    status,
    printed: stripVTControlCharacters(stdout + stderr),
    files,
    failed: tests
      .filter((test) => test.status === 'failed')
      .map(({ file, fullName }) => `${file}: ${fullName.trim()}`)
      .sort(),
    messages: (file, name) =>
      tests.find((test) => test.file === file && test.fullName.trim() === name)?.failureMessages.join('\n') ??
      '',
  };
}

/** The tests of the fixture that are to fail. */
export const BROKEN = [
  'batches.spec.ts: broken',
  'batches.spec.ts: broken too',
  'concurrent.spec.ts: broken',
  'fake-timers.spec.ts: broken',
  'inline.spec.ts: broken',
  'mocked.spec.ts: broken',
  'sequential.spec.ts: broken',
];
