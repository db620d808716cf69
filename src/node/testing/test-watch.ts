import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from '../../trace/printable.ts';
import { Task } from '../core/task.ts';
import { Selection } from '../loader/selection.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../runtime/index.ts';
import { noteTest } from '../runtime/judged-facts.ts';
import { loadSchedule } from '../schedule/load.ts';
import type { CheckAnswer, CheckRequest } from './check-request.ts';
import { selectionIn, type WorkerOptions } from './options.ts';
import { OverlookedWatch } from './overlooked-watch.ts';
import { keptFilesOf, ProofRunParts } from './proof-run.ts';
import type { TestPlace } from './runner-command.ts';
import { runInTask } from './test-task.ts';

const CHECK = fileURLToPath(new URL('../testing/check-process.js', import.meta.url));
/** A message with three violations in it has a hundredth of that. */
const LONGEST_ANSWER = 1 << 26;
/** Longest part of a test's name that names its task in the interleaving. */
const NAME = 30;

/** A test that is running, or whose leftovers still are. */
export interface WatchedTest {
  readonly task: Task;
}

/** Watches the tests of one process, thread or realm: starts the runtime in it, and asks what it has found. */
export class TestWatch {
  readonly options: WorkerOptions;
  readonly #runtime: Runtime;
  readonly #spool: string;
  readonly #tests = new Set<WatchedTest>();
  /** How many tests there were of each kind of thread. */
  readonly #kinds = new Map<string, number>();
  /** The begins of violated blocks of which nobody has been told. */
  readonly #untold = new Set<number>();
  /** The begins of all violated blocks. */
  readonly #violated = new Set<number>();
  #overlooked: OverlookedWatch | null = null;
  /** Where the last look ended at what no cycle shows, and what was looked at after that. */
  #from = 0;
  readonly #seen = new Set<number>();
  readonly #proof: ProofRunParts | null;

  constructor(options: WorkerOptions) {
    this.options = options;
    this.#spool = options.proofRun?.spool ?? join(mkdtempSync(join(options.folder, 'tests-')), 'trace.trk');
    const { proofRun: run } = options;
    this.#proof = run === null ? null : new ProofRunParts(run);
    const selection = new Selection(selectionIn(options.root, options.instrument, run));
    this.#runtime = startRuntime({
      spool: this.#spool,
      displayPath: (path) => selection.displayPath(path),
      schedule: loadSchedule(options.schedule),
      ...(run === null
        ? this.#looking()
        : { values: true, keptFiles: keptFilesOf(run), turns: this.#proof?.turns ?? null }),
    });
  }

  #looking(): Pick<RuntimeOptions, 'onViolation' | 'moreSinks'> {
    return {
      onViolation: ({ begin }) => {
        this.#untold.add(begin);
        this.#violated.add(begin);
      },
      moreSinks: (names) => {
        this.#overlooked = new OverlookedWatch(names, this.#violated);
        return [this.#overlooked];
      },
    };
  }

  get runtime(): Runtime {
    return this.#runtime;
  }

  begin(name: string): WatchedTest {
    const test = { task: new Task(this.#kindOf(name)) };
    noteTest(test.task);
    this.#tests.add(test);
    return test;
  }

  /** Names the task so that it is told from those of tests with the same name, and from tries of the same test. */
  #kindOf(name: string): string {
    const kind = `test ${quoted(name, NAME)}`;
    const count = (this.#kinds.get(kind) ?? 0) + 1;
    this.#kinds.set(kind, count);
    return count === 1 ? kind : `${kind} (${count})`;
  }

  /** Runs the function of a test, or some of what belongs to it. */
  run<T>({ task }: WatchedTest, run: () => T): T {
    // Its order is its own, so that it is the same when the test is run alone.
    const { recorder } = this.#runtime;
    return runInTask(recorder, task, run, (root) => this.#runtime.beginPart(root, task.kind));
  }

  /** What was violated in this test since it began; null if nothing was. */
  end(test: WatchedTest, place: TestPlace | null): CheckAnswer | null {
    return this.#check(test, place);
  }

  /** What was violated by what tests had left running. */
  endAll(place: TestPlace | null = null): CheckAnswer | null {
    const answer = this.#check(null, place);
    this.#tests.clear();
    return answer;
  }

  /** Records nothing more, and leaves everything as it was. */
  finish(): void {
    this.#runtime.aside(() => this.#proof?.finish());
    this.#runtime.finish();
  }

  #check(test: WatchedTest | null, place: TestPlace | null): CheckAnswer | null {
    this.#runtime.flush();
    const last = this.#overlooked?.last ?? 0;
    const hasNews = this.#overlooked?.takeNews() ?? false;
    if (this.#untold.size === 0 && !hasNews) {
      this.#from = last;
      return null;
    }
    const others = [...this.#tests].filter((other) => other !== test);
    const answer = explained({
      options: this.options,
      spool: this.#spool,
      begins: [...this.#untold],
      from: this.#from,
      seen: [...this.#seen],
      test: test?.task.kind ?? null,
      place,
      others: others.map(({ task }) => task.kind),
    });
    this.#untold.clear();
    for (const begin of answer.left) this.#untold.add(begin);
    for (const begin of answer.seen) this.#seen.add(begin);
    if (answer.left.length === 0) {
      this.#from = last;
      this.#seen.clear();
    }
    return answer.worst === null ? null : answer;
  }
}

/** Asks another process, and waits: meanwhile nothing happens here that could be taken for part of a test. */
function explained(request: CheckRequest): CheckAnswer {
  // What the tests are run with is not for that process.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [CHECK], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    cwd: request.options.root,
    env,
    maxBuffer: LONGEST_ANSWER,
  });
  if (error !== undefined || status !== 0)
    throw new Error(`trackside: what was found could not be explained: ${error?.message ?? stderr.trim()}`);
  return JSON.parse(stdout);
}
