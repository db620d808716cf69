import type { EventBatch } from '../trace/batch.ts';
import { accessKind, Op } from '../trace/operation.ts';
import { RecordedWaits } from '../trace/recorded-waits.ts';

/**
 * The first events of a trace, as the analyses were shown them, kept so that they can be put in another order.
 * Everything is indexed by event number; 0 stands for no event.
 */
export class RecordedTrace {
  /** The number of the last event. */
  length = 0;
  readonly op: Uint8Array;
  readonly thread: Int32Array;
  readonly operand: Int32Array;
  readonly location: Int32Array;
  /** How many events of its thread come before an event. */
  readonly position: Int32Array;
  /** For a read or update: the write or update that it found. */
  readonly writer: Int32Array;
  /** For an acquire: the release of its section. */
  readonly release: Int32Array;
  /** For a begin: its end; for any event: the begin of the outermost block that it is in. */
  readonly end: Int32Array;
  readonly outermost: Int32Array;
  readonly waits = new RecordedWaits();

  readonly #programs = new Map<number, number[]>();
  readonly #forks = new Map<number, number>();
  readonly #writers = new Map<number, number>();
  readonly #acquires = new Map<number, number>();
  readonly #open = new Map<number, number[]>();

  constructor(capacity: number) {
    this.op = new Uint8Array(capacity + 1).fill(Op.skip);
    this.thread = new Int32Array(capacity + 1);
    this.operand = new Int32Array(capacity + 1);
    this.location = new Int32Array(capacity + 1);
    this.position = new Int32Array(capacity + 1);
    this.writer = new Int32Array(capacity + 1);
    this.release = new Int32Array(capacity + 1);
    this.end = new Int32Array(capacity + 1);
    this.outermost = new Int32Array(capacity + 1);
  }

  /** Adds the next events; false when there is no room for more. */
  add(batch: EventBatch): boolean {
    for (let i = 0; i < batch.length; i++) {
      if (this.length + 1 >= this.op.length) return false;
      const event = ++this.length;
      this.thread[event] = batch.thread[i];
      if (batch.op[i] === Op.skip) continue;
      this.op[event] = batch.op[i];
      this.operand[event] = batch.operand[i];
      this.location[event] = batch.location[i];
      this.#link(event);
    }
    return true;
  }

  /** The events of a thread, in order. */
  program(thread: number): readonly number[] {
    return this.#programs.get(thread) ?? [];
  }

  threads(): Iterable<number> {
    return this.#programs.keys();
  }

  /** The event that forks a thread; 0 if none does. */
  forkOf(thread: number): number {
    return this.#forks.get(thread) ?? 0;
  }

  /** The last event of a block: its end, or where its thread was last seen. */
  lastOf(begin: number): number {
    return this.end[begin] || (this.program(this.thread[begin]).at(-1) ?? begin);
  }

  #link(event: number): void {
    const thread = this.thread[event];
    const operand = this.operand[event];
    let program = this.#programs.get(thread);
    if (program === undefined) {
      program = [];
      this.#programs.set(thread, program);
      this.#open.set(thread, []);
    }
    this.position[event] = program.length;
    program.push(event);
    const open = this.#open.get(thread) as number[];
    if (this.op[event] === Op.begin) open.push(event);
    this.outermost[event] = open[0] ?? 0;
    this.waits.add(event, thread, this.op[event], operand);
    const kind = accessKind(this.op[event]);
    if (kind === Op.read || kind === Op.update) this.writer[event] = this.#writers.get(operand) ?? 0;
    if (kind === Op.write || kind === Op.update) this.#writers.set(operand, event);
    switch (this.op[event]) {
      case Op.acquire:
        this.#acquires.set(operand, event);
        break;
      case Op.release:
        this.release[this.#acquires.get(operand) ?? 0] = event;
        break;
      case Op.fork:
        this.#forks.set(operand, event);
        break;
      case Op.end: {
        const begin = open.pop();
        if (begin !== undefined) this.end[begin] = event;
        break;
      }
    }
  }
}
