const NONE: readonly number[] = [];

/** Which locks tasks hold, and which of them are taken by several. */
export class HeldLocks {
  /** Per thread. Lists are never changed once made. */
  readonly #held: (readonly number[] | undefined)[] = [];
  /** Per lock: the first thread that took it; -1 if others have, too. */
  readonly #takenBy: number[] = [];

  of(thread: number): readonly number[] {
    return this.#held[thread] ?? NONE;
  }

  /** Whether more than one task has taken it, so far. */
  isShared(lock: number): boolean {
    return this.#takenBy[lock] === -1;
  }

  acquire(thread: number, lock: number): void {
    this.#held[thread] = [...this.of(thread), lock];
    const by = this.#takenBy[lock] ?? thread;
    this.#takenBy[lock] = by === thread ? thread : -1;
  }

  release(thread: number, lock: number): void {
    const held = this.of(thread);
    const at = held.lastIndexOf(lock);
    if (at >= 0) this.#held[thread] = held.toSpliced(at, 1);
  }

  /** What a task starts works under the locks of that task. */
  fork(thread: number, child: number): void {
    this.#held[child] = this.of(thread);
  }
}
