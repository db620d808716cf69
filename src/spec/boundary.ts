import type { Analysis, Outcome } from '../analyses/analysis.ts';

/**
 * `--fork-join boundary`: a transaction ends at every fork and join (Wang and Stoller). Stands before an
 * analysis and shows it, for a fork or join inside blocks, the ends of those blocks, then the fork or join as
 * an event outside them, then their begins again, all with the number of the fork or join.
 */
export class BoundaryAtForkAndJoin implements Analysis {
  readonly #inner: Analysis;
  readonly #open: (number[] | undefined)[] = [];

  constructor(inner: Analysis) {
    this.#inner = inner;
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
    const open = this.#open[thread] ?? [];
    for (let i = open.length - 1; i >= 0; i--) this.#inner.end(thread, open[i], event);
    this.#inner.fork(thread, child, event);
    for (const label of open) this.#inner.begin(thread, label, event);
  }

  join(thread: number, child: number, event: number): void {
    const open = this.#open[thread] ?? [];
    for (let i = open.length - 1; i >= 0; i--) this.#inner.end(thread, open[i], event);
    this.#inner.join(thread, child, event);
    for (const label of open) this.#inner.begin(thread, label, event);
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
}
