import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadAnalyses } from '../../src/analyses/load.ts';
import { checkTrace } from '../../src/check/check.ts';
import { Specification } from '../../src/spec/specification.ts';
import { Random } from '../support/random-traces.ts';
import { AGENT, javaPrograms } from './jvm.ts';

const programs = javaPrograms('trackside/runtime/Replay');
const TRACES = Number(process.env.FILTER_TRACES ?? 400);

/** Steps of a few threads, each block with a label of its own; what is open at the end is closed. */
function randomSteps(seed: number): string[][] {
  const random = new Random(seed);
  const steps: string[][] = [];
  const open = [0, 0, 0];
  let labels = 0;
  let holder: number | null = null;
  for (let i = 0; i < 40; i++) {
    const thread = random.below(3);
    const name = `t${thread}`;
    const choice = random.below(12);
    if (choice === 0 && open[thread] < 2) {
      steps.push([name, 'begin', `B${labels++}`]);
      open[thread]++;
    } else if (choice === 1 && open[thread] > 0) {
      steps.push([name, 'end']);
      open[thread]--;
    } else if (choice === 2 && holder === null) {
      steps.push([name, 'acq', 'l']);
      holder = thread;
    } else if (choice === 3 && holder === thread) {
      steps.push([name, 'rel', 'l']);
      holder = null;
    } else {
      steps.push([name, random.below(2) === 0 ? 'r' : 'w', `x${random.below(4)}`]);
    }
  }
  if (holder !== null) steps.push([`t${holder}`, 'rel', 'l']);
  open.forEach((depth, thread) => {
    for (let i = 0; i < depth; i++) steps.push([`t${thread}`, 'end']);
  });
  return steps;
}

async function judge(
  path: string,
  format: string,
): Promise<{ violated: string[]; serializable: boolean | null }> {
  const [analysis] = await loadAnalyses('regiontrack', 'edge');
  const check = await checkTrace(path, {
    analyses: [analysis],
    specification: new Specification(),
    forkJoin: 'edge',
    first: false,
    format,
  });
  if (check.problem !== null) throw check.problem;
  const [run] = check.runs;
  const labels = run.violations.flatMap(({ block }) =>
    block === null ? [] : [check.trace?.names.labels.text(block.label) ?? ''],
  );
  return { violated: labels.sort(), serializable: run.analysis.outcome().serializable };
}

it('what is left out and handed over breaks no trace that holds, and blames others in less than one of fifty', async () => {
  const files: string[] = [];
  for (let i = 0; i < TRACES; i++) {
    const steps = randomSteps(i);
    const full = steps.map(([thread, op, operand]) => `${thread}|${op}(${operand ?? ''})`);
    writeFileSync(join(programs.classes, `${i}.std`), `${full.join('\n')}\n`);
    writeFileSync(
      join(programs.classes, `${i}.steps`),
      `${steps.map((step) => step.join(' ')).join('\n')}\n`,
    );
    files.push(join(programs.classes, `${i}.steps`), join(programs.classes, `${i}.trk`));
  }
  const run = spawnSync(
    'java',
    [
      ...['--add-exports', 'java.base/jdk.internal.misc=ALL-UNNAMED'],
      ...['-cp', `${programs.classes}:${AGENT}`, 'trackside.runtime.Replay', ...files],
    ],
    { encoding: 'utf8' },
  );
  expect(run.stderr).toBe('');
  const invented: number[] = [];
  let different = 0;
  for (let i = 0; i < TRACES; i++) {
    const whole = await judge(join(programs.classes, `${i}.std`), 'std');
    const left = await judge(join(programs.classes, `${i}.trk`), 'trk');
    if (whole.serializable && !left.serializable) invented.push(i);
    if (String(whole.violated) !== String(left.violated)) different++;
  }
  expect(invented).toEqual([]);
  // An access that is handed over after its block has ended, or after others have come in, may be missing or in another block.
  expect(different).toBeLessThan(TRACES / 50);
}, 600_000);
