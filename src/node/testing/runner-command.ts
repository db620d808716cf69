import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** How the test runner was started, so that it can be started again for one test. */
export interface RunnerCommand {
  runner: 'vitest' | 'jest';
  /** The program and its first arguments. */
  command: readonly string[];
  cwd: string;
  nodeOptions: string | null;
}

/** A test, as its runner finds it. */
export interface TestPlace {
  file: string;
  /** With those of the groups that it is in, as the runner matches names. */
  name: string;
}

/** Options that say how tests are run, and not which ones; they are given to the runner again. */
const REPEATED: Readonly<Record<RunnerCommand['runner'], readonly string[]>> = {
  vitest: ['--config', '-c', '--root', '-r', '--mode', '--environment', '--dir', '--project'],
  jest: ['--config', '-c', '--rootDir', '--env', '--testEnvironment'],
};

/** A test that waits for its turn may take its time; a runner that gives it up sooner would not say why. */
const TEST_TIMEOUT_MS = 20_000;

/** Of the process that this is called in, for the runner that the project has. */
export function runnerCommand(
  runner: RunnerCommand['runner'],
  root: string,
  project?: string,
): RunnerCommand {
  const require = createRequire(join(root, 'tests'));
  const manifest = require.resolve(`${runner}/package.json`);
  const { bin } = require(manifest) as { bin: string | Record<string, string> };
  const script = resolve(dirname(manifest), typeof bin === 'string' ? bin : bin[runner]);
  const repeated = repeatedArguments(process.argv.slice(2), REPEATED[runner]);
  const named = project === undefined || repeated.includes('--project') ? [] : ['--project', project];
  return {
    runner,
    command: [process.execPath, ...process.execArgv, script, ...repeated, ...named],
    cwd: process.cwd(),
    nodeOptions: process.env.NODE_OPTIONS ?? null,
  };
}

function repeatedArguments(args: readonly string[], names: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    if (names.includes(arg.replace(/=.*/s, ''))) return arg.includes('=') ? [arg] : args.slice(i, i + 2);
    return [];
  });
}

/** The command line that runs this test alone, and writes what became of it as JSON, in the format of Jest. */
export function commandFor({ runner, command }: RunnerCommand, test: TestPlace, results: string): string[] {
  const pattern = `^${test.name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`;
  const common = ['--testNamePattern', pattern, `--outputFile=${results}`];
  const timeout = `--testTimeout=${TEST_TIMEOUT_MS}`;
  return runner === 'vitest'
    ? [...command, 'run', ...common, timeout, '--reporter=json', '--coverage.enabled=false', test.file]
    : [
        ...command,
        ...common,
        timeout,
        '--json',
        '--coverage=false',
        '--runInBand',
        '--runTestsByPath',
        test.file,
      ];
}
