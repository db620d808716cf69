import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { loadAnalyses } from '../../src/analyses/load.ts';
import { checkTrace } from '../../src/check/check.ts';
import { Specification } from '../../src/spec/specification.ts';
import { Random } from '../support/random-traces.ts';
import { AGENT, javaPrograms } from './jvm.ts';

const programs = javaPrograms('trackside/runtime/Replay');
const TRACES = Number(process.env.FILTER_TRACES ?? 120);
const FIRST = Number(process.env.FILTER_FIRST ?? 0);

/**
 * Reading ones read far more than they write, and the same again and again; in passing ones a single thread has blocks; updating ones
 * have mostly atomic variables, two in an object.
 */
const MANNERS = ['mixed', 'reading', 'passing', 'updating'] as const;
type Manner = (typeof MANNERS)[number];

/** Rare ones, each of which came out differently once. */
const KNOWN: [seed: number, manner: Manner][] = [
  // The last owner reads what an earlier one has written, and others come after that.
  [54621, 'reading'],
  // All that a thread does before it is joined is to wait, and nobody notifies it; or to begin a block and end it.
  [505912, 'reading'],
  [702957, 'mixed'],
  [1004668, 'reading'],
  // Two threads make an update, and the one that did so first, or an owner before it, had read the variable.
  [1040026, 'reading'],
  [2015367, 'mixed'],
  // The owner writes a variable and then updates it, and once more when others have come to the object.
  [9000787, 'updating'],
];

type Step = [thread: string, operation: string, operand?: string];

/** Random steps of a few threads, of which the last ones are forked and joined; every block has a label of its own. */
class RandomSteps {
  readonly steps: Step[] = [];
  readonly #random: Random;
  /** Per thread: the labels of its open blocks, and which volatile variables the outermost of these has read. */
  readonly #open: string[][] = [[], [], [], []];
  readonly #read: Set<string>[] = [new Set(), new Set(), new Set(), new Set()];
  #labels = 0;
  #holder: number | null = null;
  readonly #states: ('unborn' | 'alive' | 'joined')[] = ['alive', 'alive', 'unborn', 'unborn'];
  readonly #isReading: boolean;
  readonly #isUpdating: boolean;

  constructor(seed: number, manner: Manner) {
    this.#random = new Random(seed);
    this.#isReading = manner === 'reading';
    this.#isUpdating = manner === 'updating';
    for (let i = 0; i < 40; i++) {
      const thread = this.#random.below(4);
      if (this.#states[thread] !== 'alive') continue;
      if (manner === 'passing') this.#passingStep(thread);
      else this.#step(thread);
    }
    if (this.#holder !== null) this.#add(this.#holder, 'rel', 'l');
    this.#open.forEach((labels, thread) => {
      for (const _ of labels) this.#add(thread, 'end');
    });
  }

  #add(thread: number, operation: string, operand?: string): void {
    this.steps.push(operand === undefined ? [`t${thread}`, operation] : [`t${thread}`, operation, operand]);
  }

  #step(thread: number): void {
    const open = this.#open[thread];
    const choice = this.#random.below(24);
    if (choice < 2 && open.length < 2) {
      if (open.length === 0) this.#read[thread].clear();
      open.push(`B${this.#labels++}`);
      this.#add(thread, 'begin', open.at(-1));
    } else if (choice === 2 && open.length > 0) {
      open.pop();
      this.#add(thread, 'end');
    } else if (choice === 3 && this.#holder === null) {
      this.#add(thread, 'acq', 'l');
      this.#holder = thread;
    } else if (choice === 4 && this.#holder === thread) {
      this.#add(thread, 'rel', 'l');
      this.#holder = null;
    } else if (choice === 5 && open.length > 0) {
      this.#add(thread, 'split');
      this.#read[thread].clear();
    } else if (choice === 6) this.#add(thread, ['notify', 'wait'][this.#random.below(2)], 'c');
    else if (choice === 7) this.#forkOrJoin(thread, 2);
    else if (choice === 8) this.#forkOrJoin(thread, 3);
    else if (this.#isUpdating && choice < 22) this.#volatileAccess(thread, `u${this.#random.below(4)}`);
    else if (choice < 11) this.#volatileAccess(thread, `v${this.#random.below(2)}`);
    else {
      const isRead = this.#random.below(this.#isReading ? 6 : 2) !== 1;
      this.#add(thread, isRead ? 'r' : 'w', `x${this.#random.below(this.#isReading ? 3 : 6)}`);
    }
  }

  /** Only one thread has blocks; the others tell each other that they are done with a few variables. */
  #passingStep(thread: number): void {
    const open = this.#open[thread];
    const choice = this.#random.below(24);
    if (choice < 3 && thread === 0 && open.length === 0) {
      open.push(`B${this.#labels++}`);
      this.#add(thread, 'begin', open.at(-1));
    } else if (choice === 3 && open.length > 0) {
      open.pop();
      this.#add(thread, 'end');
    } else if (choice === 4) this.#forkOrJoin(thread, 2 + this.#random.below(2));
    else if (choice < 7 && this.#holder === null) {
      this.#add(thread, 'acq', 'l');
      this.#holder = thread;
    } else if (choice < 9 && this.#holder === thread) {
      this.#add(thread, 'rel', 'l');
      this.#holder = null;
    } else if (choice === 9) this.#add(thread, ['notify', 'wait'][this.#random.below(2)], 'c');
    else if (choice < 14) this.#add(thread, ['vr', 'vw'][this.#random.below(2)], 'v0');
    else this.#add(thread, ['r', 'w'][this.#random.below(2)], `x${this.#random.below(4)}`);
  }

  #forkOrJoin(thread: number, child: number): void {
    const isIdle = this.#open[child].length === 0 && this.#holder !== child;
    if (this.#states[child] === 'unborn') {
      this.#add(thread, 'fork', `t${child}`);
      this.#states[child] = 'alive';
    } else if (this.#states[child] === 'alive' && thread !== child && isIdle) {
      this.#add(thread, 'join', `t${child}`);
      this.#states[child] = 'joined';
    }
  }

  #volatileAccess(thread: number, variable: string): void {
    const operation = ['vr', 'vw', 'vu'][this.#random.below(3)];
    const read = this.#open[thread].length > 0 ? this.#read[thread] : new Set();
    if (operation === 'vr') read.add(variable);
    // An update of what the block has read before is no update.
    this.#add(thread, operation === 'vu' && read.has(variable) ? 'vw' : operation, variable);
  }
}

/** The same as a trace in which nothing is left out. */
function wholeTrace(steps: readonly Step[]): string[] {
  const open = new Map<string, string[]>();
  return steps.flatMap(([thread, operation, operand = '']) => {
    const labels = open.get(thread) ?? [];
    open.set(thread, labels);
    if (operation === 'begin') labels.push(operand);
    if (operation === 'end') labels.pop();
    if (operation !== 'split') return [`${thread}|${operation}(${operand})`];
    return [...labels.map(() => `${thread}|end()`), ...labels.map((label) => `${thread}|begin(${label})`)];
  });
}

function kindOf(execution: number): [seed: number, manner: Manner] {
  const seed = FIRST + execution;
  return KNOWN[execution] ?? [seed, MANNERS[seed % MANNERS.length]];
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

it('what is left out until a second thread comes changes neither the verdict nor which blocks are violated', async () => {
  const files: string[] = [];
  for (let i = 0; i < TRACES; i++) {
    const { steps } = new RandomSteps(...kindOf(i));
    writeFileSync(join(programs.classes, `${i}.std`), `${wholeTrace(steps).join('\n')}\n`);
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
  const different: [seed: number, manner: Manner][] = [];
  for (let i = 0; i < TRACES; i++) {
    const whole = await judge(join(programs.classes, `${i}.std`), 'std');
    const left = await judge(join(programs.classes, `${i}.trk`), 'trk');
    if (!isDeepStrictEqual(whole, left)) different.push(kindOf(i));
  }
  expect(different).toEqual([]);
}, 600_000);
