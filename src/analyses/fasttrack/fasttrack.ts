import type { Analysis, AnalysisContext, Outcome, ViolationSink } from '../analysis.ts';
import { OutermostBlocks } from '../shared/outermost-blocks.ts';
import { ThreadClocks } from '../shared/thread-clocks.ts';
import { LockClocks } from './lock-clocks.ts';
import { READ, UPDATE, VariableAccesses } from './variable-accesses.ts';

/** Reports the first race of each variable. Blocks order nothing; they are only told with the race. */
export class FastTrack implements Analysis {
  readonly #report: ViolationSink;
  readonly #clocks = new ThreadClocks();
  readonly #locks = new LockClocks(this.#clocks);
  readonly #accesses = new VariableAccesses(this.#clocks);
  readonly #blocks = new OutermostBlocks();
  #races = 0;

  constructor({ report }: AnalysisContext) {
    this.#report = report;
  }

  read(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.commuting(READ, thread, variable, event);
    if (rival > 0) this.#race(rival, thread, event);
  }

  update(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.commuting(UPDATE, thread, variable, event);
    if (rival > 0) this.#race(rival, thread, event);
  }

  write(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.write(thread, variable, event);
    if (rival > 0) this.#race(rival, thread, event);
  }

  acquire(thread: number, lock: number): void {
    this.#locks.acquire(thread, lock);
  }

  release(thread: number, lock: number, event: number): void {
    this.#locks.release(thread, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    this.#clocks.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#clocks.join(thread, child, event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#clocks.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number): void {
    this.#clocks.leave(thread, barrier);
  }

  begin(thread: number, label: number, event: number): void {
    this.#clocks.acting(thread);
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
      statistics: {
        races: this.#races,
        inflated: this.#accesses.inflated,
        slots: this.#clocks.slots,
        nodesAtMost: this.#clocks.trees.nodesAtMost,
      },
    };
  }

  #race(earlier: number, thread: number, event: number): void {
    this.#races++;
    this.#report({
      kind: 'race',
      event,
      thread,
      block: this.#blocks.of(thread),
      cycle: [{ from: earlier, to: event }],
      related: [
        { event: earlier, role: 'earlier access' },
        { event, role: 'later access' },
      ],
    });
  }
}
