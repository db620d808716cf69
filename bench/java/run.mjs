// What `trackside java` costs: seconds of the plain program, and how many times as long it takes with each analysis online.
// `empty` is what watching and writing cost. Compare within a row: programs are short, and start-up counts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOf, PROGRAMS } from '../../scripts/java-programs/programs.mjs';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ANALYSES = ['empty', 'regiontrack', 'sidetrack'];
const REPEATED = Number(process.env.REPEATED ?? 3);

function seconds(words) {
  const times = [];
  for (let i = 0; i < REPEATED; i++) {
    const started = performance.now();
    spawnSync(words[0], words.slice(1), { stdio: 'ignore' });
    times.push((performance.now() - started) / 1000);
  }
  return times.sort((a, b) => a - b)[REPEATED >> 1];
}

console.log(`| program | plain | ${ANALYSES.join(' | ')} |`);
console.log(`|---|---|${ANALYSES.map(() => '---|').join('')}`);
for (const program of PROGRAMS.filter(({ expects }) => expects === undefined)) {
  const command = commandOf(program);
  const plain = seconds(command);
  const slower = ANALYSES.map((analysis) => {
    const words = [process.execPath, MAIN, 'java', '--quiet', '--analysis', analysis, '--', ...command];
    return (seconds(words) / plain).toFixed(1);
  });
  console.log(
    `| ${program.name} | ${plain.toFixed(1)} s | ${slower.map((times) => `${times}×`).join(' | ')} |`,
  );
}
