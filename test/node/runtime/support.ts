import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { regiontrack } from '../../../src/analyses/regiontrack/index.ts';
import { checkTrace } from '../../../src/check/check.ts';
import { resultsOf } from '../../../src/check/results.ts';
import { explainViolations } from '../../../src/check/second-look.ts';
import { TraceReader } from '../../../src/formats/read.ts';
import { instrument } from '../../../src/node/instrument/instrument.ts';
import { findings } from '../../../src/node/judgement/findings.ts';
import {
  type LiveViolation,
  type Runtime,
  type RuntimeOptions,
  startRuntime,
} from '../../../src/node/runtime/index.ts';
import { Specification } from '../../../src/spec/specification.ts';
import { TraceFacts } from '../../../src/trace/facts.ts';
import { MemoryTrace } from '../../../src/trace/memory-trace.ts';
import { Op } from '../../../src/trace/operation.ts';
import { WellFormedness } from '../../../src/trace/wellformed.ts';
import { printEvents } from '../../support/notation.ts';

export interface Recording {
  trace: MemoryTrace;
  /** What was found while the program ran, and what a check of the trace finds. */
  violations: LiveViolation[];
  judged: Judged[];
  facts: TraceFacts;
  /** What the program made of `module.exports`, awaited. */
  value: unknown;
}

/** What a program is told about a violation: `inner (in outer): lost-update on x, error`. */
export interface Judged {
  label: string;
  around: string[];
  pattern: string | null;
  variable: string | null;
  severity: string;
  consequence: string | null;
  /** The rule that has decided. */
  because: string | null;
}

/** Free names that programs may use. */
export interface World {
  [name: string]: unknown;
}

/** What is put off, of what is recorded. */
export type Ways = Pick<RuntimeOptions, 'putOffFrom' | 'readsLate' | 'leftOutFrom'>;

/** Turns of the event loop in which a program can finish what nobody waits for. */
const TURNS = 40;

const require = createRequire(import.meta.url);

/**
 * Instruments a CommonJS program, runs it until `module.exports` is settled and everything that it started is over, and
 * gives the trace. `prepare` is called before, with the runtime. The path says whether the program is one of a package, and
 * `ways` how it is recorded.
 */
export async function record(
  program: string,
  world: World = {},
  prepare?: (runtime: Runtime) => void,
  file = 'app.js',
  ways: Ways = {},
): Promise<Recording> {
  const { code, warnings } = instrument(program, {
    path: file,
    displayPath: 'app.js',
    format: 'commonjs',
    language: 'js',
    runtimeUrl: 'trackside:runtime',
    wantMap: false,
  });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  const directory = mkdtempSync(path.join(tmpdir(), 'trackside-runtime-'));
  const spool = path.join(directory, 'trace.trk');
  const violations: LiveViolation[] = [];
  // What is handed over while a program runs depends on the clock, and tests must not.
  const longestWait = null;
  const runtime = startRuntime({
    spool,
    longestWait,
    ...ways,
    onViolation: (violation) => violations.push(violation),
  });
  try {
    prepare?.(runtime);
    const value = await run(code, runtime, world);
    const facts = new TraceFacts();
    const trace = await read(spool, facts);
    const judged = await judgements(spool);
    return { trace, facts, violations, judged, value };
  } finally {
    runtime.finish();
    rmSync(directory, { recursive: true });
  }
}

async function run(code: string, runtime: Runtime, world: World): Promise<unknown> {
  const names = Object.keys(world);
  const body = vm.runInThisContext(`(function (require, module, ${names.join(', ')}) {${code}\n})`, {
    filename: 'app.js',
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: undefined as unknown };
  // In a callback of its own, so that what the program leaves behind does not run in the test's.
  const value = await new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        body(require, module, ...names.map((name) => world[name]));
        resolve(module.exports);
      } catch (error) {
        reject(error);
      }
    });
  });
  for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
  runtime.finish();
  return value;
}

async function judgements(file: string): Promise<Judged[]> {
  const specification = new Specification();
  const options = { analyses: [regiontrack], forkJoin: 'family', first: false, specification } as const;
  const check = await checkTrace(file, options);
  const [{ violations }] = await resultsOf(
    file,
    check,
    await explainViolations(file, check, options),
    null,
    0,
  );
  return (await findings(file, violations)).map(({ violation, interference, around, ...rest }) => ({
    label: violation.block?.label ?? '',
    around: around.map(({ label }) => label),
    variable: interference?.first.operand ?? null,
    pattern: rest.pattern,
    severity: rest.severity,
    consequence: rest.consequence,
    because: rest.because?.rule ?? null,
  }));
}

async function read(file: string, facts: TraceFacts): Promise<MemoryTrace> {
  const reader = await TraceReader.open(file, { onSection: (section) => facts.addSection(section) });
  const trace = new MemoryTrace();
  const { names } = reader;
  const wellFormedness = new WellFormedness(names, { lenient: false });
  const events = [];
  for await (const batch of reader.batches()) {
    wellFormedness.check(batch);
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      events.push({
        thread: names.threads.text(batch.thread[i]),
        op,
        operand: names.operandTable(op).text(batch.operand[i]),
      });
    }
  }
  return events.length === 0 ? trace : MemoryTrace.of(events);
}

/** The trace in the notation of tests; without the thread that only says which tasks are over. */
export function told({ trace }: Recording): string {
  const events = [...trace.events()].filter(({ thread }) => thread !== 'reaper');
  return printEvents(events).replaceAll('; ', '\n');
}

/** Which variables are accessed, in order: `r x, w x`. */
export function accesses(recording: Recording): string {
  const events = [...recording.trace.events()].filter(({ op }) => op <= Op.update);
  return printEvents(events).replaceAll('; ', '\n');
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Like `record`, of a program that may `await turn()`, and `await pause()` until everything recorded so far is handed over. */
export function recordWithPauses(program: string, ways: Ways = {}): Promise<Recording> {
  let runtime: Runtime | undefined;
  async function pause(): Promise<void> {
    await turn();
    runtime?.flush();
    await turn();
  }
  const prepare = (started: Runtime) => {
    runtime = started;
  };
  return record(program, { turn, pause }, prepare, 'app.js', ways);
}
