import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { configText, RUNNER_STEPS, scriptText, workflowText } from './init-files.ts';

const EXAMPLES = `
Examples:
  trackside init                             a configuration and an npm script
  trackside init --entry src/server.ts       the program that the script runs
  trackside init --ci                        also a workflow for GitHub Actions

Nothing that is there already is changed. Exit codes:
  0  done
  2  this is no project, or a file could not be written
`;

interface Options {
  entry?: string;
  ci: boolean;
}

/** As far as it is looked at. */
interface Manifest {
  main?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Where programs usually begin. */
const ENTRIES: readonly string[] = ['src/', ''].flatMap((folder) =>
  ['index', 'main', 'app', 'server'].flatMap((name) =>
    ['ts', 'mts', 'mjs', 'js'].map((ending) => `${folder}${name}.${ending}`),
  ),
);

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .summary('set up a project: a configuration, a script, a CI workflow')
    .description(
      'Writes trackside.config.ts and the npm script "trackside" into the project in this folder, and says what to do next.',
    )
    .option('--entry <file>', 'the program that the script runs; looked for if it is not given')
    .option('--ci', 'also write .github/workflows/trackside.yml', false)
    .addHelpText('after', EXAMPLES)
    .action(init);
}

async function init({ entry: given, ci }: Options): Promise<void> {
  const text = await readFile('package.json', 'utf8').catch(() => null);
  if (text === null)
    throw new InputProblem('there is no package.json here', {
      expected: 'the folder of a project; npm init makes one',
    });
  const manifest = manifestIn(text);
  if (given !== undefined && !existsSync(given))
    throw new InputProblem('there is no such program', {
      file: given,
      expected: 'a JavaScript or TypeScript file',
    });
  const packages = { ...manifest.dependencies, ...manifest.devDependencies };
  const entry =
    given ?? [manifest.main, ...ENTRIES].find((path) => path !== undefined && existsSync(path)) ?? null;
  const isTyped = 'typescript' in packages || existsSync('tsconfig.json') || /\.m?ts$/.test(entry ?? '');

  const said = [
    ...(await made(`trackside.config.${isTyped ? 'ts' : 'mjs'}`, configText(), (name) =>
      /^trackside\.config\./.test(name),
    )),
    await withScript(text, manifest, entry),
    ...(ci ? await made('.github/workflows/trackside.yml', workflowText(entry)) : []),
  ];
  const next = [
    ...('trackside' in packages ? [] : ['npm install -D trackside']),
    ...(entry === null ? [] : ['npm run trackside']),
  ];
  const runner = RUNNER_STEPS.find(({ name }) => name in packages);
  const steps = next.length === 0 ? [] : ['', 'Next:', ...next.map((step) => `  ${step}`)];
  const plugin =
    runner === undefined ? [] : ['', `To check your tests as well (${runner.name}):`, ...runner.lines];
  process.stdout.write(`${[...said, ...steps, ...plugin].join('\n')}\n`);
}

function manifestIn(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch (error) {
    throw new InputProblem('this is not a JSON document', {
      file: 'package.json',
      found: (error as Error).message,
      cause: error,
    });
  }
}

/** Writes a file unless there is one, or another that does its job. */
async function made(
  path: string,
  text: string,
  isSame: (name: string) => boolean = () => false,
): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const folder = dirname(path);
  const there = (await readdir(folder).catch(() => [])).find(
    (name) => join(folder, name) === path || isSame(name),
  );
  if (there !== undefined) return [`kept     ${join(folder, there)}`];
  await mkdir(folder, { recursive: true });
  await writeFile(path, text);
  return [`written  ${path}`];
}

/** Adds the script to package.json, which otherwise stays as it is. */
async function withScript(text: string, manifest: Manifest, entry: string | null): Promise<string> {
  if (manifest.scripts?.trackside !== undefined) return 'kept     the script "trackside" in package.json';
  if (entry === null)
    return 'no script: no program was found; name it with --entry, or use the plugin for your test runner';
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const scripts = { ...manifest.scripts, trackside: scriptText(entry) };
  const end = text.endsWith('\n') ? '\n' : '';
  await writeFile('package.json', `${JSON.stringify({ ...manifest, scripts }, null, indent)}${end}`);
  return `written  the script "trackside" in package.json: ${quoted(scriptText(entry), 200)}`;
}
