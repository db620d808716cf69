import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { AnalysisResult, CheckReport } from '../../src/check/result.ts';
import { trackside } from '../cli/run.ts';
import { install } from '../support/install.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url));
export const AGENT = join(ROOT, 'dist/java/trackside-agent.jar');
/** Not in `dist`, which other tests copy meanwhile. */
const BUILDING = join(ROOT, 'node_modules/.java-building');
/** Long enough to install a JDK and to fetch what Maven needs. */
const PATIENCE = 600_000;

/** Java programs of the tests, compiled into a folder of their own; and the agent, built if it is not up to date. */
export function javaPrograms(...names: string[]): { classes: string } {
  const folder = { classes: mkdtempSync(join(tmpdir(), 'java-programs-')) };
  beforeAll(async () => {
    await buildAgent();
    const sources = names.map((name) => join(PROGRAMS, `${name}.java`));
    const exported = ['--add-exports', 'java.base/jdk.internal.misc=ALL-UNNAMED'];
    run('javac', ['-g', '-nowarn', ...exported, '-cp', AGENT, '-d', folder.classes, ...sources]);
  }, PATIENCE);
  afterAll(() => rmSync(folder.classes, { recursive: true }));
  return folder;
}

/** Several test files may need it at once: one of them builds it. */
async function buildAgent(): Promise<void> {
  while (!isBuilt()) {
    try {
      mkdirSync(BUILDING);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      install('java');
      run(process.execPath, [join(ROOT, 'scripts/build-java.mjs')]);
    } finally {
      rmdirSync(BUILDING);
    }
  }
}

function isBuilt(): boolean {
  return existsSync(AGENT) && statSync(AGENT).mtimeMs >= newest(join(ROOT, 'java'));
}

function newest(path: string): number {
  if (path.endsWith('target')) return 0;
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(command: string, args: string[]): void {
  const { status, stderr, stdout, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}${stdout}`);
}

/** All JDKs of the machine, the usual one first: what is tested on one should hold on the others. */
export function javas(): string[] {
  const folder = '/usr/lib/jvm';
  const others = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin/java')) : [];
  const versions = new Map<string, string>();
  for (const java of ['java', ...others]) {
    const { stdout, status } = spawnSync(java, ['--version'], { encoding: 'utf8' });
    const version = /^\S+ (\d+)/.exec(stdout ?? '')?.[1];
    if (status === 0 && version !== undefined && Number(version) >= 17 && !versions.has(version))
      versions.set(version, java);
  }
  return [...versions.values()];
}

export interface JavaRun {
  status: number | null;
  stdout: string;
  stderr: string;
  results: AnalysisResult[];
  /** Labels of violated blocks, each once. */
  violated: string[];
}

/** `programs/Turns.java` makes schedules, and must not be seen to. */
export const UNWATCHED = ['--instrument', '!Turns'];

/** Runs `trackside java` on a program. */
export function runJava(
  { classes }: { classes: string },
  program: string,
  { options = [], args = [], java = 'java' }: { options?: string[]; args?: string[]; java?: string } = {},
): JavaRun {
  const report = join(classes, `report-${reports++}.json`);
  const run = trackside([
    ...['java', '--reporter', `json=${report}`, ...UNWATCHED, ...options],
    ...['--', java, '-cp', classes, program, ...args],
  ]);
  const results = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as CheckReport).results : [];
  const labels = results.flatMap(({ violations }) => violations.map(({ block }) => block?.label ?? ''));
  return { ...run, results, violated: [...new Set(labels)].sort() };
}

let reports = 0;
