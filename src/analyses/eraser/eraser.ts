import type { Analysis, AnalysisContext, Outcome, RelatedEvent, ViolationSink } from '../analysis.ts';
import { HeldLocks } from '../shared/held-locks.ts';
import { Locksets } from '../shared/locksets.ts';
import { OutermostBlocks } from '../shared/outermost-blocks.ts';
import { CandidateSets } from './candidate-sets.ts';

/** Reports each variable that threads share, one of them writes, and no lock protects. */
export class Eraser implements Analysis {
  readonly #report: ViolationSink;
  readonly #locksets = new Locksets();
  readonly #held = new HeldLocks(this.#locksets);
  readonly #candidates = new CandidateSets(this.#locksets, this.#held);
  readonly #blocks = new OutermostBlocks();
  #reported = 0;

  constructor({ report }: AnalysisContext) {
    this.#report = report;
  }

  read(thread: number, variable: number, event: number): void {
    if (!this.#candidates.isOwn(thread, variable, event)) this.#access(thread, variable, false, event);
  }

  write(thread: number, variable: number, event: number): void {
    if (!this.#candidates.isOwn(thread, variable, event)) this.#access(thread, variable, true, event);
  }

  /** That updates commute does not make two of them at the same time safe: each reads and writes memory. */
  update(thread: number, variable: number, event: number): void {
    this.write(thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#held.acquire(thread, lock, event);
  }

  release(thread: number, lock: number): void {
    this.#held.release(thread, lock);
  }

  /* Eraser knows locks and nothing else. */
  fork(): void {}
  join(): void {}
  arrive(): void {}
  leave(): void {}
  send(): void {}
  receive(): void {}

  /* Two volatile accesses do not race, and whoever uses volatile variables does so to need no lock. */
  volatileRead(): void {}
  volatileWrite(): void {}
  volatileUpdate(): void {}

  begin(thread: number, label: number, event: number): void {
    this.#blocks.begin(thread, label, event);
  }

  end(thread: number): void {
    this.#blocks.end(thread);
  }

  finish(): void {}

  outcome(): Outcome {
    return {
      serializable: null,
      firstEvent: null,
      statistics: { races: this.#reported, locksets: this.#locksets.count },
    };
  }

  #access(thread: number, variable: number, isWrite: boolean, event: number): void {
    if (!this.#candidates.access(thread, variable, isWrite, event)) return;
    this.#reported++;
    this.#report({
      kind: 'race',
      event,
      thread,
      block: this.#blocks.of(thread),
      related: this.#related(variable, event),
    });
  }

  /** The set may have become empty before, while threads only read. */
  #related(variable: number, event: number): RelatedEvent[] {
    const other = this.#candidates.lastOfOther(variable);
    const emptied = this.#candidates.emptiedBy(variable);
    if (emptied === event) {
      return [
        { event: other, role: 'previous access by another thread' },
        { event, role: 'access that left no common lock' },
      ];
    }
    const write = { event, role: 'write without a common lock' };
    if (emptied === other)
      return [{ event: other, role: 'previous access by another thread, which left no common lock' }, write];
    const related = [
      { event: other, role: 'previous access by another thread' },
      { event: emptied, role: 'access that left no common lock' },
    ];
    return [...related.sort((a, b) => a.event - b.event), write];
  }
}
