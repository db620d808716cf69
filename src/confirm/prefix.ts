import { Op } from '../trace/operation.ts';
import type { RecordedTrace } from './recorded-trace.ts';

/**
 * Some first events of each thread that can be run in the order of the trace, without the others: an event comes
 * with those before it in its thread, the fork of its thread, what it joins or waits for at a barrier or for a message, and, unless
 * values do not matter, the write that it found. Of the sections of a lock, all but the last one are whole.
 */
export class Prefix {
  readonly #trace: RecordedTrace;
  readonly #withValues: boolean;
  readonly #counts: Map<number, number>;
  /** The latest acquire of each lock. */
  readonly #acquires: Map<number, number>;
  /** The events up to which threads still have to be looked at. */
  readonly #pending: number[] = [];

  constructor(trace: RecordedTrace, withValues: boolean, from: Prefix | null = null) {
    this.#trace = trace;
    this.#withValues = withValues;
    this.#counts = new Map(from === null ? [] : from.#counts);
    this.#acquires = new Map(from === null ? [] : from.#acquires);
  }

  /** How many events of a thread are in it. */
  count(thread: number): number {
    return this.#counts.get(thread) ?? 0;
  }

  /** How many events it has. */
  get size(): number {
    let size = 0;
    for (const count of this.#counts.values()) size += count;
    return size;
  }

  threads(): Iterable<number> {
    return this.#counts.keys();
  }

  has(event: number): boolean {
    return this.#trace.position[event] < this.count(this.#trace.thread[event]);
  }

  /** Takes in what has to come before an event, but not the event itself. */
  includeBefore(event: number): void {
    const trace = this.#trace;
    const thread = trace.thread[event];
    const position = trace.position[event];
    if (position > 0) this.include(trace.program(thread)[position - 1]);
    else this.include(trace.forkOf(thread));
  }

  /** Takes in an event and all that comes with it. */
  include(event: number): void {
    this.#pending.push(event);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#takeUpTo(next);
  }

  /** Its events, in the order of the trace. */
  events(): number[] {
    const events: number[] = [];
    for (const [thread, count] of this.#counts) {
      const program = this.#trace.program(thread);
      for (let i = 0; i < count; i++) events.push(program[i]);
    }
    return events.sort((a, b) => a - b);
  }

  #takeUpTo(event: number): void {
    if (event === 0) return;
    const trace = this.#trace;
    const thread = trace.thread[event];
    const from = this.count(thread);
    const to = trace.position[event] + 1;
    if (to <= from) return;
    this.#counts.set(thread, to);
    if (from === 0) this.#pending.push(trace.forkOf(thread));
    const program = trace.program(thread);
    for (let i = from; i < to; i++) this.#require(program[i]);
  }

  #require(event: number): void {
    const trace = this.#trace;
    const operand = trace.operand[event];
    if (this.#withValues) this.#pending.push(trace.writer[event]);
    for (const other of trace.waits.before(event)) this.#pending.push(other);
    switch (trace.op[event]) {
      case Op.acquire: {
        const other = this.#acquires.get(operand) ?? 0;
        if (other < event) this.#acquires.set(operand, event);
        if (other !== 0) this.#pending.push(trace.release[Math.min(other, event)]);
        break;
      }
      case Op.join: {
        const fork = trace.forkOf(operand);
        if (fork < event) this.#pending.push(fork);
        this.#pending.push(trace.program(operand).at(-1) ?? 0);
        break;
      }
    }
  }
}
