// The long runs behind the fixed-seed tests: `node scripts/fuzz.mjs checkers|scopes|formats|programs [runs] [seed] [part…]`.
// `scopes` is for every small trace of larger scopes, whatever the runs. With parts of file names, only such tests.
// Tests are bundled first: Vitest's own imports cost a third of the time of such loops.
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { startVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const CHECKERS = ['test/analyses', 'test/explain/properties.test.ts'];
const KINDS = {
  checkers: { tests: CHECKERS, runs: 200_000 },
  scopes: { tests: CHECKERS, runs: 0, named: /every (small )?trace|all two transactions/ },
  formats: { tests: ['test/fuzz'], runs: 100_000 },
  programs: { tests: ['test/compile'], runs: 10_000 },
};
const [kind, runs, seed, ...parts] = process.argv.slice(2);
if (!(kind in KINDS)) {
  console.error(
    'usage: node scripts/fuzz.mjs checkers|scopes|formats|programs [runs] [seed] [part of a file name…]',
  );
  process.exit(2);
}
const { tests, named } = KINDS[kind];
process.env.TRACKSIDE_FUZZ_RUNS = runs ?? String(KINDS[kind].runs);
if (seed !== undefined) process.env.TRACKSIDE_FUZZ_SEED = seed;
if (kind === 'scopes') process.env.TRACKSIDE_FUZZ_SCOPES = 'larger';

const files = readdirSync(`${root}test`, { recursive: true })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith('.test.ts') && tests.some((wanted) => name.startsWith(wanted)))
  .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));

const folder = `${root}node_modules/.cache/fuzz-${process.pid}/`;
/** What a module finds beside itself, it finds there from the bundle, too. */
const ownPlaces = {
  name: 'own-places',
  transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
};
try {
  for (const file of files) {
    const bundle = await rolldown({
      input: root + file,
      cwd: root,
      platform: 'node',
      external: (id) => /^[a-z@]/.test(id),
      plugins: [ownPlaces],
    });
    await bundle.write({ file: folder + file.replace(/ts$/, 'mjs'), codeSplitting: false });
    await bundle.close();
  }
  const vitest = await startVitest('test', [], {
    root,
    config: false,
    watch: false,
    include: [`${folder}**/*.test.mjs`],
    exclude: [],
    isolate: false,
    testTimeout: 6 * 3600 * 1000,
    testNamePattern: named,
    reporters: ['verbose'],
  });
  await vitest.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
