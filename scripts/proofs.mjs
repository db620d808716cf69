// Proves what is found in programs with a known mistake, and in their healthy twins, and prints what came of it as the table
// of docs/how-to/prove.md. Needs a build; takes some minutes.
//
//   node scripts/proofs.mjs [--trackside <dist/cli/main.js>] <broken and healthy programs…>
//
// A program is a broken one if its name has `broken` or `bad` in it, or it says `expect: violation`. `--why` prints what was said
// of what is not proved. Without any, the programs of
// test/node/realistic.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    why: { type: 'boolean', default: false },
    trackside: { type: 'string', default: fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)) },
  },
});
const realistic = fileURLToPath(new URL('../test/node/realistic', import.meta.url));
const programs =
  positionals.length > 0
    ? positionals.map((file) => path.resolve(file))
    : fs.readdirSync(realistic).map((name) => path.join(realistic, name));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'proofs-'));
const trackside = path.resolve(options.trackside);

/** The verdicts about what was found in a program, as errors or warnings. */
function verdictsOf(program) {
  const results = path.join(scratch, 'results.json');
  fs.rmSync(results, { force: true });
  const args = ['prove', '--budget', '30', '--reporter', `json=${results}`, path.basename(program)];
  spawnSync(process.execPath, [trackside, ...args], {
    cwd: path.dirname(program),
    timeout: 120_000,
    stdio: 'ignore',
  });
  if (!fs.existsSync(results)) return ['no result'];
  const { results: found } = JSON.parse(fs.readFileSync(results, 'utf8'));
  const violations = found.flatMap((result) => result.violations);
  if (options.why)
    for (const { block, proof } of violations)
      if (proof?.verdict !== 'harmful')
        process.stderr.write(`  ${block?.label}: ${proof?.message ?? 'no calls met'}\n`);
  return violations.map(({ proof }) => proof?.verdict ?? 'no calls met');
}

const counts = { broken: new Map(), healthy: new Map() };
const programsOf = { broken: 0, healthy: 0 };
for (const program of programs) {
  const isBroken =
    /(?:^|[./])(?:broken|bad)\./.test(program) ||
    /^\/\/ expect: violation/m.test(fs.readFileSync(program, 'utf8'));
  const kind = isBroken ? 'broken' : 'healthy';
  programsOf[kind]++;
  const verdicts = verdictsOf(program);
  for (const verdict of verdicts) counts[kind].set(verdict, (counts[kind].get(verdict) ?? 0) + 1);
  process.stderr.write(`${path.basename(program)}: ${verdicts.join(', ') || 'nothing found'}\n`);
}
fs.rmSync(scratch, { recursive: true });

const verdicts = [...new Set([...counts.broken.keys(), ...counts.healthy.keys()])].sort();
console.log(
  `| verdict | ${programsOf.broken} broken programs | ${programsOf.healthy} healthy ones |\n|---|---|---|`,
);
for (const verdict of verdicts)
  console.log(
    `| \`${verdict}\` | ${counts.broken.get(verdict) ?? 0} | ${counts.healthy.get(verdict) ?? 0} |`,
  );
process.exitCode = counts.healthy.has('harmful') ? 1 : 0;
