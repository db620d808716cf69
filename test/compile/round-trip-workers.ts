import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTrace } from '../../src/compile/compile.ts';
import { executedEvents } from '../../src/compile/executed.ts';
import { withRoundsAsVariables } from '../../src/compile/rounds.ts';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERAND_KINDS, Op } from '../../src/trace/operation.ts';
import { trackside } from '../cli/run.ts';
import { printEvents } from '../support/notation.ts';
import { asOfProgram, eventOf, Numbered, verdictsDiffer, withLateBegins } from './round-trip.ts';

/*
 * The same with workers: to make one takes so long that many traces are made one program, in which they are
 * executed one after the other by the same threads.
 */

/** As many as a program can have. */
const MOST_THREADS = 63;

/** So many traces from the front as can be one program, and that program's trace. */
export function pack(traces: readonly (readonly NamedEvent[])[]): { count: number; events: NamedEvent[] } {
  const threads = new Set<string>();
  const events: NamedEvent[] = [];
  for (const [k, trace] of traces.entries()) {
    const part = ofPart(executedEvents(asOfProgram(trace)), k);
    const needed = new Set([...threads, ...part.flatMap(threadsOf)]);
    if (k > 0 && needed.size > MOST_THREADS) return { count: k, events };
    for (const thread of needed) threads.add(thread);
    events.push(...part);
  }
  return { count: traces.length, events };
}

/** With names that no other part has, but for threads that are there from the start and go on. */
function ofPart(events: readonly NamedEvent[], k: number): NamedEvent[] {
  const own = new Set(
    events.filter(({ op }) => op === Op.fork || op === Op.join).map(({ operand }) => operand),
  );
  const thread = (name: string) => (own.has(name) ? `${name} of ${k}` : name);
  return events.map((event) => ({
    thread: thread(event.thread),
    op: event.op,
    operand: OPERAND_KINDS[event.op] === 'thread' ? thread(event.operand) : `${event.operand} of ${k}`,
  }));
}

function threadsOf({ thread, op, operand }: NamedEvent): string[] {
  return OPERAND_KINDS[op] === 'thread' ? [thread, operand] : [thread];
}

/** The recording of the program for a trace, with the events of the scaffolding. */
export function recordWorkers(folder: string, events: readonly NamedEvent[]): NamedEvent[] {
  writeFileSync(join(folder, 'workers.mjs'), compileTrace(events, 'workers'));
  const args = ['record', '--quiet', '-o', 'workers.std', 'workers.mjs'];
  const { status, stderr } = trackside(args, { cwd: folder });
  if (status !== 0) throw new Error(`record ends with ${status}: ${stderr}`);
  const lines = readFileSync(join(folder, 'workers.std'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map(eventOf);
}

/** What is wrong with the recording of the program for a trace, or null. */
export function workersDifference(
  events: readonly NamedEvent[],
  recording: readonly NamedEvent[],
): string | null {
  const executed = asOfWorkers(executedEvents(events));
  const expected = comparable(withRoundsAsVariables(executed));
  const actual = comparable(ownEvents(recording));
  if (actual !== expected) return `the recording should be\n  ${expected}\nand is\n  ${actual}`;
  return verdictsDiffer(executed, recording);
}

/** Updates of shared memory are volatile, and nobody waits for a thread that does nothing. */
function asOfWorkers(events: readonly NamedEvent[]): NamedEvent[] {
  const acting = new Set(events.map(({ thread }) => thread));
  return events
    .filter(({ op, operand }) => op !== Op.join || acting.has(operand))
    .map((event) => (event.op === Op.update ? { ...event, op: Op.volatileUpdate } : event));
}

const WORKER = /^worker \d+ \((.*)\)$/;
const END = 'to BroadcastChannel end of ';

/** What the threads of the trace did, with their names. */
export function ownEvents(recording: readonly NamedEvent[]): NamedEvent[] {
  const own: NamedEvent[] = [];
  for (const { thread, op, operand } of recording) {
    const name = WORKER.exec(thread)?.[1];
    if (name === undefined) continue;
    if (op === Op.send && operand.startsWith(END)) continue;
    if (op === Op.receive && operand.startsWith(END)) {
      own.push({ thread: name, op: Op.join, operand: operand.slice(END.length) });
      continue;
    }
    if (OPERAND_KINDS[op] !== 'thread') {
      own.push({ thread: name, op, operand: operand.replace(/^to BroadcastChannel /, '') });
      continue;
    }
    const other = WORKER.exec(operand)?.[1];
    if (other !== undefined) own.push({ thread: name, op, operand: other });
  }
  return own;
}

/** Elements and words by number; where a block begins and ends is known only between two other events of its thread. */
function comparable(events: readonly NamedEvent[]): string {
  const numbered = { variable: new Numbered('x'), lock: new Numbered('l'), condition: new Numbered('c') };
  const blocks = new Map<string, NamedEvent[]>();
  const joins = new Set<string>();
  const moved: NamedEvent[] = [];
  for (const event of withLateBegins(events)) {
    const { thread, op, operand } = event;
    const waiting = blocks.get(thread) ?? [];
    blocks.set(thread, waiting);
    const kind = OPERAND_KINDS[op];
    // Whoever joins a thread once more learns nothing.
    const join = op === Op.join ? JSON.stringify([thread, operand]) : '';
    if (joins.has(join)) continue;
    if (op === Op.join) joins.add(join);
    if (kind === 'label') {
      waiting.push(event);
      continue;
    }
    moved.push(...waiting.splice(0));
    const name = kind in numbered ? numbered[kind as keyof typeof numbered].of(operand) : operand;
    moved.push({ thread, op, operand: name });
  }
  for (const thread of [...blocks.keys()].sort()) moved.push(...(blocks.get(thread) ?? []));
  return printEvents(moved);
}
