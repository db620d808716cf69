import type { BlockName, TraceFacts } from '../../trace/facts.ts';

/** Where the names of threads are found. */
export type Threads = { readonly threads: { text(id: number): string } };

/**
 * Batches: one task reads for several others, each of which waits for its own part. What it reads belongs to those blocks, as
 * if it had been read where they asked for it. `B` is what somebody keeps of a block.
 */
export class ServedBlocks<B> {
  readonly #names: Threads;
  readonly #served = new Map<string, { to: string; location: string }[]>();
  /** Those that were served, once they have begun. */
  readonly #blocks = new Map<string, B>();
  readonly #wanted = new Set<string>();
  /** Per thread: how many blocks have begun, and which are open. */
  readonly #begins: number[] = [];
  readonly #open: string[][] = [];

  constructor(names: Threads, served: TraceFacts['served']) {
    this.#names = names;
    for (const { by, to, location } of served) {
      const known = this.#served.get(keyOf(by)) ?? [];
      known.push({ to: keyOf(to), location });
      this.#served.set(keyOf(by), known);
      this.#wanted.add(keyOf(to));
    }
  }

  fork(child: number): void {
    this.#begins[child] = 0;
    this.#open[child] = [];
  }

  begin(thread: number, block: B): void {
    if (this.#served.size === 0) return;
    const begin = (this.#begins[thread] ?? 0) + 1;
    this.#begins[thread] = begin;
    this.#open[thread] ??= [];
    const key = keyOf({ thread: this.#names.threads.text(thread), begin });
    this.#open[thread].push(key);
    if (this.#wanted.has(key)) this.#blocks.set(key, block);
  }

  end(thread: number): void {
    this.#open[thread]?.pop();
  }

  /** For whom a thread reads now, and where they have asked for it. */
  *servedBy(thread: number): Generator<{ block: B; location: string }> {
    if (this.#served.size === 0) return;
    const whole = keyOf({ thread: this.#names.threads.text(thread), begin: 0 });
    for (const key of [whole, ...(this.#open[thread] ?? [])])
      for (const { to, location } of this.#served.get(key) ?? []) {
        const block = this.#blocks.get(to);
        if (block !== undefined) yield { block, location };
      }
  }
}

function keyOf({ thread, begin }: BlockName): string {
  return `${begin} ${thread}`;
}
