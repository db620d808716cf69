// What `trackside java` costs: seconds of the plain program, elapsed and of processor time, and how many times as long it takes with
// each analysis online, Trackside included.
// `empty` is what watching and writing cost. Compare within a row: programs are short, and start-up counts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOf, PROGRAMS } from '../../scripts/java-programs/programs.mjs';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ANALYSES = ['empty', 'regiontrack', 'sidetrack'];
const REPEATED = Number(process.env.REPEATED ?? 3);

/** Seconds that passed, and seconds of processor time of all processes. */
function measured(words) {
  const runs = [];
  for (let i = 0; i < REPEATED; i++) {
    const started = performance.now();
    const { stdout } = spawnSync('bash', ['-c', '"$@" > /dev/null 2>&1; times', 'bash', ...words], {
      encoding: 'utf8',
    });
    const elapsed = (performance.now() - started) / 1000;
    const children = stdout.trim().split('\n').at(-1) ?? '';
    const processor = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, m, s]) => sum + 60 * m + Number(s),
      0,
    );
    runs.push({ elapsed, processor });
  }
  return runs.sort((a, b) => a.processor - b.processor)[REPEATED >> 1];
}

console.log(`| program | plain | ${ANALYSES.join(' | ')} |`);
console.log(`|---|---|${ANALYSES.map(() => '---|').join('')}`);
for (const program of PROGRAMS.filter(({ expects }) => expects === undefined)) {
  const command = commandOf(program);
  const plain = measured(command);
  const slower = ANALYSES.map((analysis) => {
    const words = [process.execPath, MAIN, 'java', '--quiet', '--analysis', analysis, '--', ...command];
    const { elapsed, processor } = measured(words);
    return `${(elapsed / plain.elapsed).toFixed(1)}×, ${(processor / plain.processor).toFixed(1)}×`;
  });
  console.log(
    `| ${program.name} | ${plain.elapsed.toFixed(1)} s, ${plain.processor.toFixed(1)} s | ${slower.join(' | ')} |`,
  );
}
