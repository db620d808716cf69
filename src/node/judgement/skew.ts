import { commonNesting, type Nesting } from './nesting.ts';

/** So many of the last reads of a variable, and of the last changes without an interruption, are remembered. */
const MOST_READS = 16;
const MOST_CHANGES = 8;

/** So many stretches without an interruption are remembered. */
const MOST_SEGMENTS = 1024;

/** An access, as it is in the trace. */
export interface SkewAccess {
  readonly event: number;
  readonly thread: number;
  readonly op: number;
  readonly variable: number;
  readonly location: number;
}

interface Read<B> extends SkewAccess {
  readonly segment: number;
  readonly around: Nesting<B>;
}

/** What a block had read and another task changed; what that task had read right before, and the block writes now. */
export interface Skew<B> {
  /** The innermost block that has done both, and the outermost around it that the other task is not part of. */
  readonly inner: Nesting<B>;
  readonly outer: number;
  readonly read: SkewAccess;
  readonly change: SkewAccess;
  readonly otherRead: SkewAccess;
}

/**
 * Write skew between a block and a task that was not interrupted between its two accesses. Event by event nothing is wrong: the
 * other task has read what the block writes later, and *then* changed what the block had read. But as nobody can come between
 * the two, they are one step, which fits neither before the block nor after it.
 */
export class SkewSearch<B> {
  /** Per variable. */
  readonly #reads: (Read<B>[] | undefined)[] = [];
  /** By segment: changes of what others had read. */
  readonly #changes = new Map<number, SkewAccess[]>();
  #thread = -1;
  #segment = 0;

  read(access: SkewAccess, around: Nesting<B>): void {
    this.#enter(access.thread);
    this.#reads[access.variable] ??= [];
    const reads = this.#reads[access.variable]!;
    if (reads.length === MOST_READS) reads.shift();
    reads.push({ ...access, segment: this.#segment, around });
  }

  *change(access: SkewAccess, around: Nesting<B>): Generator<Skew<B>> {
    this.#enter(access.thread);
    const reads = this.#reads[access.variable];
    if (reads === undefined) return;
    for (const other of reads)
      if (other.segment !== this.#segment)
        for (const change of this.#changes.get(other.segment) ?? [])
          if (change.event > other.event) yield* this.#skews(around, other, change);
    if (reads.some(({ segment }) => segment !== this.#segment)) this.#note(access);
  }

  /** The number is going to be that of another variable. */
  forget(variable: number): void {
    this.#reads[variable] = undefined;
  }

  *#skews(around: Nesting<B>, other: Read<B>, change: SkewAccess): Generator<Skew<B>> {
    const outer = commonNesting(around, other.around).depth;
    let read: Read<B> | null = null;
    let inner: Nesting<B> | null = null;
    for (const own of this.#reads[change.variable] ?? []) {
      const common = commonNesting(around, own.around);
      if (common.depth <= outer) continue;
      // Whoever has looked again knows.
      if (own.event > change.event) return;
      read = own;
      inner = common;
    }
    if (read !== null && inner !== null) yield { inner, outer, read, change, otherRead: other };
  }

  #note(change: SkewAccess): void {
    const changes = this.#changes.get(this.#segment) ?? [];
    if (changes.length === MOST_CHANGES) return;
    changes.push(change);
    this.#changes.set(this.#segment, changes);
    if (this.#changes.size > MOST_SEGMENTS) this.#changes.delete(this.#changes.keys().next().value!);
  }

  /** Events of one task in a row are a stretch in which nobody else has run. */
  #enter(thread: number): void {
    if (thread === this.#thread) return;
    this.#thread = thread;
    this.#segment++;
  }
}
