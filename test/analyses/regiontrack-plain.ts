import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { BarrierRounds } from '../../src/trace/barrier-rounds.ts';
import type { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { accessKind, isAccess, isOfBarrier, Op } from '../../src/trace/operation.ts';

/** A block that is refuted, known by the number of its begin, and the event at which it is. */
export interface Refutation {
  begin: number;
  event: number;
}

interface Block {
  thread: number;
  begin: number;
  /** Which event of its thread begins it, counting from 1. */
  step: number;
  isOpen: boolean;
  isRefuted: boolean;
}

interface Step {
  thread: number;
  op: Op;
  /** Of what happens at a barrier, the round. */
  operand: number;
  /** Up to which of its steps each thread happens before or at this one. */
  clock: number[];
  /** The blocks in whose families it is, outermost first; without families, the blocks it is in. */
  blocks: readonly Block[];
}

/**
 * RegionTrack's Algorithms 1 and 2 in their plainest form: a vector clock for each event, time that ticks at each
 * event, and no conflict between threads left out. It keeps everything, and shares and forgets nothing.
 */
export function refutations(trace: MemoryTrace, forkJoin: ForkJoin): Refutation[] {
  const found: Refutation[] = [];
  const steps: Step[] = [];
  const threads = trace.names.threads.size;
  const open: Block[][] = Array.from({ length: threads }, () => []);
  const inherited: (readonly Block[])[] = Array.from({ length: threads }, () => []);
  const counts = new Array<number>(threads).fill(0);
  /** The clock of each thread's last event. */
  const clocks: number[][] = Array.from({ length: threads }, () => new Array<number>(threads).fill(0));
  let event = 0;

  const act = (thread: number, op: Op, operand: number) => {
    const step = ++counts[thread];
    if (op === Op.begin) open[thread].push({ thread, begin: event, step, isOpen: true, isRefuted: false });
    const clock = [...clocks[thread]];
    // A family is closed at the end of its block.
    const blocks = [...inherited[thread].filter((block) => block.isOpen), ...open[thread]];
    for (const earlier of steps) {
      if (earlier.thread === thread || !conflict(earlier, thread, op, operand)) continue;
      for (let t = 0; t < threads; t++) clock[t] = Math.max(clock[t], earlier.clock[t]);
      for (const block of blocks) {
        if (block.isRefuted || earlier.clock[block.thread] < block.step) continue;
        if (forkJoin === 'family' && earlier.blocks.includes(block)) continue;
        block.isRefuted = true;
        found.push({ begin: block.begin, event });
      }
    }
    clock[thread] = step;
    clocks[thread] = clock;
    steps.push({ thread, op, operand, clock, blocks });
    if (op === Op.end) open[thread].pop()!.isOpen = false;
    if (op === Op.fork && forkJoin === 'family') inherited[operand] = blocks.filter((block) => block.isOpen);
  };

  const held = new Map<number, number>();
  const rounds = new BarrierRounds();
  for (const batch of trace.batches()) {
    for (let i = 0; i < batch.length; i++) {
      event++;
      const op = batch.op[i] as Op;
      let operand = batch.operand[i];
      if (op === Op.acquire || op === Op.release) {
        const depth = held.get(operand) ?? 0;
        held.set(operand, op === Op.acquire ? depth + 1 : depth - 1);
        if (op === Op.acquire ? depth > 0 : depth > 1) continue;
      }
      if (op === Op.arrive) operand = rounds.arrive(batch.thread[i], operand);
      if (op === Op.leave) operand = rounds.leave(batch.thread[i], operand);
      act(batch.thread[i], op, operand);
    }
  }
  return found.sort((a, b) => a.event - b.event || a.begin - b.begin);
}

/** Whether an event conflicts with an earlier one of another thread. */
function conflict(earlier: Step, thread: number, op: Op, operand: number): boolean {
  if (isAbout(earlier.op) && earlier.operand === thread) return true;
  if (isAbout(op) && operand === earlier.thread) return true;
  if (earlier.operand !== operand) return false;
  if (isLocking(op)) return isLocking(earlier.op);
  if (isOfBarrier(op)) return isOfBarrier(earlier.op) && op !== earlier.op;
  if (op === Op.receive) return earlier.op === Op.send;
  if (op === Op.wait) return earlier.op === Op.notify;
  if (!isAccess(op) || !isAccess(earlier.op)) return false;
  return accessKind(op) !== accessKind(earlier.op) || accessKind(op) === Op.write;
}

function isAbout(op: Op): boolean {
  return op === Op.fork || op === Op.join;
}

function isLocking(op: Op): boolean {
  return op === Op.acquire || op === Op.release;
}
