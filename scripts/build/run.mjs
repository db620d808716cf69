// `npm run build`: the bundles of dist, and beside them the types that users import. Says nothing but what is wrong.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { clean } from './clean.mjs';
import { shipRuntime } from './native.mjs';
import { pruneTypes } from './prune-types.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CONFIGS = ['', '.viewer', '.jest', '.program', '.library'];

/** Gives the exit code of the compiler, which says itself what is wrong. */
async function types() {
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    /package\.json$/,
    'bin/tsc',
  );
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code;
}

async function bundles() {
  for (const name of CONFIGS) {
    const { default: config } = await import(`../../rolldown${name}.config.js`);
    for (const { output, ...input } of [config].flat()) {
      const bundle = await rolldown({ ...input, cwd: root });
      await bundle.write(output);
      await bundle.close();
    }
  }
}

clean();
shipRuntime();
const [code] = await Promise.all([types(), bundles()]);
if (code === 0) pruneTypes();
process.exitCode = code;
