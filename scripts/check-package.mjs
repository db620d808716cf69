// Packs what would be published, installs it as a user would, and checks it: size, types, what linters of packages say, and
// that its command and its entries work. Needs the registry.
//
//   node scripts/check-package.mjs
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LARGEST = 4_200_000;
const MOST_FILES = 400;

const { version, dependencies, devDependencies, exports } = JSON.parse(
  fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'package-'));

function run(command, args, cwd, { fails = false } = {}) {
  const { GITHUB_ACTIONS: _, NODE_OPTIONS: __, ...env } = process.env;
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (fails) return `${error.stdout}${error.stderr}`;
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  }
}

function demand(holds, what) {
  if (!holds) throw new Error(what);
  console.log(`ok: ${what}`);
}

function packed() {
  const [{ filename, unpackedSize, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], root),
  );
  demand(unpackedSize < LARGEST, `${unpackedSize} bytes when unpacked, less than ${LARGEST}`);
  demand(files.length < MOST_FILES, `${files.length} files, less than ${MOST_FILES}`);
  demand(!files.some((file) => file.path.endsWith('.map')), 'no source maps');
  return path.join(scratch, filename);
}

/** Where everything is bundled, it is no dependency; where it is not, it is one. */
function checkDependencies(modules) {
  const imported = new Set();
  const dist = path.join(modules, 'trackside/dist');
  for (const name of fs.readdirSync(dist, { recursive: true })) {
    if (!/\.[cm]?js$/.test(name)) continue;
    const text = fs.readFileSync(path.join(dist, name), 'utf8');
    for (const known of [...Object.keys(dependencies), ...Object.keys(devDependencies)])
      if (
        new RegExp(`(?:from|require\\(|import\\(|ownRequire\\(|resolve\\()\\s*["'\`]${known}["'\`/]`).test(
          text,
        )
      )
        imported.add(known);
  }
  imported.delete('vitest');
  demand(
    [...imported].sort().join() === Object.keys(dependencies).sort().join(),
    `the dependencies are what is imported: ${[...imported].sort().join(', ')}`,
  );
}

const TYPED = `import { atomic, defineConfig, lock, read, write } from 'trackside';
import { withTrackside } from 'trackside/jest';
import { analysesNamed, checkTrace, Specification } from 'trackside/library';
import 'trackside/register';
import { trackside } from 'trackside/vitest';

export const config = defineConfig({ failOn: 'error', instrument: ['a/**'] });
export const plugin = trackside({ mode: 'warn' });
export const jest = withTrackside({}, { mode: 'fail' });
export const check = () =>
  checkTrace('run.std', {
    analyses: analysesNamed('regiontrack', 'edge'),
    forkJoin: 'edge',
    first: false,
    specification: new Specification(),
  });
export const marked = () => atomic('a', () => lock('b', () => (read('c'), write('d'), 1)));
`;

const PROGRAM = `let left: number = 10;
async function sell(count: number): Promise<void> {
  const before = left;
  await null;
  left = before - count;
}
await Promise.all([sell(1), sell(2)]);
`;

try {
  const archive = packed();
  const project = path.join(scratch, 'project');
  fs.mkdirSync(project);
  const write = (name, text) => fs.writeFileSync(path.join(project, name), text);
  write('package.json', '{ "private": true, "type": "module" }');
  const wanted = [
    archive,
    `typescript@${devDependencies.typescript}`,
    `@types/node@${devDependencies['@types/node']}`,
  ];
  run('npm', ['install', '--no-audit', '--no-fund', ...wanted, `vitest@${devDependencies.vitest}`], project);
  checkDependencies(path.join(project, 'node_modules'));

  write('app.ts', PROGRAM);
  const report = run('npx', ['--no-install', 'trackside', 'run', 'app.ts'], project, { fails: true });
  demand(/block 'sell' [\s\S]*app\.ts:3:/.test(report), 'npx trackside run finds what is broken');
  demand(
    run('npx', ['--no-install', 'trackside', '--version'], project).trim() === version,
    'npx trackside --version',
  );
  const entries = Object.keys(exports).filter((entry) => !/package\.json|register|vitest/.test(entry));
  const imports = entries.map(
    (entry) => `await import(${JSON.stringify(path.posix.join('trackside', entry))});`,
  );
  run(process.execPath, ['--input-type=module', '-e', imports.join('')], project);
  demand(true, `${entries.length} entries can be imported`);

  write('typed.ts', TYPED);
  const strict = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  // Vitest and Vite have declarations of their own, which are none of our business.
  const complaints = run('npx', ['--no-install', 'tsc', ...strict, '--types', 'node', 'typed.ts'], project, {
    fails: true,
  })
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/^node_modules\/(?!trackside\/)/.test(line));
  demand(
    complaints.length === 0,
    `types compile without skipLibCheck${complaints.map((line) => `\n  ${line}`).join('')}`,
  );

  run('npx', ['--yes', 'publint@0.3', archive, '--strict'], scratch);
  demand(true, 'publint has nothing to say');
  run(
    'npx',
    ['--yes', '@arethetypeswrong/cli@0.18', archive, '--profile', 'esm-only', '--format', 'ascii'],
    scratch,
  );
  demand(true, 'are the types wrong? No');
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
