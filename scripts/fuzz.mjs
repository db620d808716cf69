// The long runs behind the fixed-seed tests: `node scripts/fuzz.mjs checkers|formats|programs [runs] [seed]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const KINDS = {
  checkers: { tests: ['test/analyses', 'test/explain/properties.test.ts'], runs: 200_000 },
  formats: { tests: ['test/fuzz'], runs: 100_000 },
  programs: { tests: ['test/compile'], runs: 10_000 },
};
const [kind, runs, seed] = process.argv.slice(2);
if (!(kind in KINDS)) {
  console.error('usage: node scripts/fuzz.mjs checkers|formats|programs [runs] [seed]');
  process.exit(2);
}
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', ...KINDS[kind].tests, '--testTimeout', String(6 * 3600 * 1000)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TRACKSIDE_FUZZ_RUNS: runs ?? String(KINDS[kind].runs),
      ...(seed === undefined ? {} : { TRACKSIDE_FUZZ_SEED: seed }),
    },
  },
);
process.exitCode = status ?? 1;
