import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { compileTrace } from '../../src/compile/compile.ts';
import { executedEvents } from '../../src/compile/executed.ts';
import { withRoundsAsVariables } from '../../src/compile/rounds.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { accessKind, isAccess, MNEMONICS, type Mnemonic, Op } from '../../src/trace/operation.ts';
import { trackside } from '../cli/run.ts';
import { printEvents } from '../support/notation.ts';
import { run } from '../support/run.ts';

/*
 * A trace is made a program, the program is recorded, and the recording is held against the trace. Many programs are run
 * by one process, one after the other; which events are whose is told by their places.
 */

/** Lets the programs in a folder import `trackside`. */
export function installIn(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  const project = fileURLToPath(new URL('../../', import.meta.url));
  symlinkSync(project, join(folder, 'node_modules', 'trackside'), 'junction');
}

/** What becomes of each of some traces: the events of its recording, with those of the scaffolding. */
export function recordings(folder: string, traces: readonly (readonly NamedEvent[])[]): NamedEvent[][] {
  traces.forEach((events, k) => {
    writeFileSync(join(folder, `program${k}.mjs`), compileTrace(events, 'tasks'));
  });
  const all = `for (let k = 0; k < ${traces.length}; k++) await import('./program' + k + '.mjs');\n`;
  writeFileSync(join(folder, 'all.mjs'), all);
  const { status, stderr } = trackside(['record', '--quiet', '-o', 'all.std', 'all.mjs'], { cwd: folder });
  if (status !== 0) throw new Error(`record ends with ${status}: ${stderr}`);
  const lines = readFileSync(join(folder, 'all.std'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return partsOf(lines.map(eventOf), traces.length);
}

export function eventOf(line: string): NamedEvent {
  const [, thread, mnemonic, operand, location = null] =
    /^([^|]*)\|(\w+)\((.*?)\)(?:\|(.*))?$/.exec(line) ?? [];
  const op = MNEMONICS.indexOf(mnemonic as Mnemonic);
  if (op < 0) throw new Error(`what is ${JSON.stringify(line)}?`);
  return { thread, op: op as Op, operand, location };
}

function partsOf(recorded: readonly NamedEvent[], programs: number): NamedEvent[][] {
  const parts: NamedEvent[][] = Array.from({ length: programs }, () => []);
  const programOf = new Map<string, number>();
  for (const event of recorded) {
    const { thread, op, operand, location } = event;
    const own = /^program(\d+)\.mjs:/.exec(location ?? '');
    let k = own === null ? undefined : Number(own[1]);
    if (thread === 'reaper') k = programOf.get(operand);
    else if (thread !== 'main') k ??= programOf.get(thread);
    if (k === undefined) throw new Error(`whose is ${printEvents([event])}?`);
    if (thread !== 'main' && thread !== 'reaper') programOf.set(thread, k);
    if (op === Op.fork) programOf.set(operand, k);
    parts[k].push(event);
  }
  return parts;
}

/** What is wrong with the recording of a trace's program, or null. */
export function difference(events: readonly NamedEvent[], recording: readonly NamedEvent[]): string | null {
  const executed = withVolatileUpdates(executedEvents(events));
  const expected = comparable(withRoundsAsVariables(executed));
  const own = ownEvents(recording);
  const actual = comparable(own);
  if (actual !== expected) return `the recording should be\n  ${expected}\nand is\n  ${actual}`;
  return verdictsDiffer(withoutPrivate(executed), withoutPrivate(own));
}

/** What is said of the recording and not of the trace, or null. */
export function verdictsDiffer(
  executed: readonly NamedEvent[],
  recording: readonly NamedEvent[],
): string | null {
  for (const [analysis, forkJoin] of JUDGES) {
    const [told, again] = [executed, recording].map((trace) =>
      verdict(analysis, withLateBegins(trace), forkJoin),
    );
    if (again !== told)
      return `${analysis.name} (--fork-join ${forkJoin}) should say ${told} and says ${again}`;
  }
  return null;
}

/** Updates of variables that are volatile anywhere are always volatile. */
function withVolatileUpdates(events: readonly NamedEvent[]): NamedEvent[] {
  const volatiles = new Set(
    events.filter(({ op }) => isAccess(op) && op > Op.update).map(({ operand }) => operand),
  );
  return events.map((event) =>
    event.op === Op.update && volatiles.has(event.operand) ? { ...event, op: Op.volatileUpdate } : event,
  );
}

function comparable(events: readonly NamedEvent[]): string {
  return printEvents(withVariablesNumbered(withThreadsNumbered(withLateBegins(withoutPrivate(events)))));
}

/** Blocks begin with the first thing that they do, and those that do nothing are left out: so the front end writes them. */
export function withLateBegins(events: readonly NamedEvent[]): NamedEvent[] {
  const waiting = new Map<string, NamedEvent[]>();
  return events.flatMap((event) => {
    const begins = waiting.get(event.thread) ?? [];
    if (event.op === Op.begin) {
      waiting.set(event.thread, [...begins, event]);
      return [];
    }
    if (event.op === Op.end && begins.length > 0) {
      waiting.set(event.thread, begins.slice(0, -1));
      return [];
    }
    waiting.delete(event.thread);
    return [...begins, event];
  });
}

const JUDGES = [
  [regiontrack, 'family'],
  [regiontrack, 'edge'],
  [atomsanitizer, 'edge'],
] as const;

type Judge = (typeof JUDGES)[number];

export function verdict(analysis: Judge[0], events: readonly NamedEvent[], forkJoin: Judge[1]): string {
  const trace = MemoryTrace.of(events);
  const { outcome, violations } = run(analysis, trace, { forkJoin });
  const blamed = violations.map(({ block }) => (block === null ? '-' : trace.names.labels.text(block.label)));
  return JSON.stringify([outcome.serializable, blamed.sort()]);
}

/** Without the scaffolding: what main does, and where tasks are noted that never do anything. */
export function ownEvents(recording: readonly NamedEvent[]): NamedEvent[] {
  const own = recording.filter(
    ({ thread, op, operand }) =>
      thread !== 'main' && thread !== 'reaper' && !(op === Op.fork && operand.startsWith('callbacks#')),
  );
  return withThreadsNumbered(own);
}

/** Without the variables of a single thread, which the front end may forget. */
function withoutPrivate(events: readonly NamedEvent[]): NamedEvent[] {
  const threads = new Map<string, Set<string>>();
  for (const { thread, op, operand } of events) {
    if (!isAccess(op)) continue;
    const known = threads.get(operand) ?? new Set();
    threads.set(operand, known.add(thread));
  }
  return events.filter(({ op, operand }) => !isAccess(op) || threads.get(operand)?.size !== 1);
}

/** Threads are called t1, t2, … in the order in which they come. */
function withThreadsNumbered(events: readonly NamedEvent[]): NamedEvent[] {
  const names = new Numbered('t');
  return events.map(({ thread, op, operand }) => ({
    thread: names.of(thread),
    op,
    operand: op === Op.fork || op === Op.join ? names.of(operand) : operand,
  }));
}

function withVariablesNumbered(events: readonly NamedEvent[]): NamedEvent[] {
  const names = new Numbered('x');
  return events.map((event) => (isAccess(event.op) ? { ...event, operand: names.of(event.operand) } : event));
}

export class Numbered {
  readonly #letter: string;
  readonly #names = new Map<string, string>();

  constructor(letter: string) {
    this.#letter = letter;
  }

  of(name: string): string {
    const known = this.#names.get(name) ?? `${this.#letter}${this.#names.size + 1}`;
    this.#names.set(name, known);
    return known;
  }
}

/**
 * The trace as a front end could have written it: an update by a block that has read the variable does not commute, so a
 * write takes its place, and so it does where other threads that come from the same one have read it; inner re-entrant
 * locking is left out.
 */
export function asOfProgram(events: readonly NamedEvent[]): NamedEvent[] {
  const depth = new Map<string, number>();
  const read = new Map<string, Set<string>>();
  const held = new Map<string, number>();
  const families = new Families(events);
  return events.flatMap((event) => {
    const { thread, op, operand } = event;
    const open = depth.get(thread) ?? 0;
    if (op === Op.begin) {
      depth.set(thread, open + 1);
      if (open === 0) read.set(thread, new Set());
    } else if (op === Op.end) depth.set(thread, open - 1);
    else if (accessKind(op) === Op.read) {
      read.get(thread)?.add(operand);
      families.noteRead(thread, operand);
    } else if (accessKind(op) === Op.update) {
      const hasRead = open > 0 && read.get(thread)?.has(operand);
      if (hasRead || families.hasRead(thread, operand))
        return [{ ...event, op: op === Op.update ? Op.write : Op.volatileWrite }];
    } else if (op === Op.acquire || op === Op.release) {
      const before = held.get(operand) ?? 0;
      const after = op === Op.acquire ? before + 1 : before - 1;
      held.set(operand, after);
      if (Math.min(before, after) > 0) return [];
    }
    return [event];
  });
}

/** Threads that come from the same one, if it forks any. */
class Families {
  readonly #parents = new Map<string, string>();
  readonly #reads = new Map<string, Set<string>>();

  constructor(events: readonly NamedEvent[]) {
    for (const { thread, op, operand } of events) if (op === Op.fork) this.#parents.set(operand, thread);
    for (const root of new Set([...this.#parents.keys()].map((thread) => this.#root(thread))))
      this.#reads.set(root, new Set());
  }

  #root(thread: string): string {
    const parent = this.#parents.get(thread);
    return parent === undefined ? thread : this.#root(parent);
  }

  noteRead(thread: string, variable: string): void {
    this.#reads.get(this.#root(thread))?.add(variable);
  }

  hasRead(thread: string, variable: string): boolean {
    return this.#reads.get(this.#root(thread))?.has(variable) === true;
  }
}
