import type { Analysis, Outcome } from '../analyses/analysis.ts';
import { showVolatile } from '../analyses/dispatch.ts';
import { Op } from '../trace/operation.ts';

/**
 * `--fork-join boundary`: a transaction ends at every fork, join and barrier (Wang and Stoller, §2), and so
 * wherever something passes through a channel: sending is like forking, receiving like joining. Stands
 * before an analysis and shows it, for such an event inside blocks, the ends of those blocks, then the event
 * outside them, then their begins again, all with the number of the event.
 */
export class BoundaryAtForkAndJoin implements Analysis {
  readonly #inner: Analysis;
  readonly #open: (number[] | undefined)[] = [];
  readonly forgetVariable?: (variable: number) => void;

  constructor(inner: Analysis) {
    this.#inner = inner;
    if (inner.forgetVariable !== undefined)
      this.forgetVariable = (variable) => inner.forgetVariable?.(variable);
  }

  read(thread: number, variable: number, event: number): void {
    this.#inner.read(thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#inner.write(thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#inner.update(thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#inner.acquire(thread, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#inner.release(thread, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.fork(thread, child, event);
    this.#beginBlocks(thread, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.join(thread, child, event);
    this.#beginBlocks(thread, event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.arrive(thread, barrier, event);
    this.#beginBlocks(thread, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.leave(thread, barrier, event);
    this.#beginBlocks(thread, event);
  }

  send(thread: number, channel: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.send(thread, channel, event);
    this.#beginBlocks(thread, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#endBlocks(thread, event);
    this.#inner.receive(thread, channel, event);
    this.#beginBlocks(thread, event);
  }

  volatileRead(thread: number, variable: number, event: number): void {
    showVolatile(this.#inner, Op.volatileRead, thread, variable, event);
  }

  volatileWrite(thread: number, variable: number, event: number): void {
    showVolatile(this.#inner, Op.volatileWrite, thread, variable, event);
  }

  volatileUpdate(thread: number, variable: number, event: number): void {
    showVolatile(this.#inner, Op.volatileUpdate, thread, variable, event);
  }

  begin(thread: number, label: number, event: number): void {
    const open = this.#open[thread];
    if (open === undefined) this.#open[thread] = [label];
    else open.push(label);
    this.#inner.begin(thread, label, event);
  }

  end(thread: number, label: number, event: number): void {
    this.#open[thread]?.pop();
    this.#inner.end(thread, label, event);
  }

  finish(lastEvent: number): void {
    this.#inner.finish(lastEvent);
  }

  outcome(): Outcome {
    return this.#inner.outcome();
  }

  #endBlocks(thread: number, event: number): void {
    const open = this.#open[thread] ?? [];
    for (let i = open.length - 1; i >= 0; i--) this.#inner.end(thread, open[i], event);
  }

  #beginBlocks(thread: number, event: number): void {
    for (const label of this.#open[thread] ?? []) this.#inner.begin(thread, label, event);
  }
}
