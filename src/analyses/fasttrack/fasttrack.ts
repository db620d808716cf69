import type { Analysis, AnalysisContext, Outcome, ViolationSink } from '../analysis.ts';
import { OutermostBlocks } from '../shared/outermost-blocks.ts';
import { ThreadClocks } from '../shared/thread-clocks.ts';
import { LockClocks } from './lock-clocks.ts';
import { READ, UPDATE, VariableAccesses, WRITE } from './variable-accesses.ts';
import { VolatileAccesses } from './volatile-accesses.ts';

/** Reports the first race of each variable. Blocks order nothing; they are only told with the race. */
export class FastTrack implements Analysis {
  readonly #report: ViolationSink;
  readonly #clocks = new ThreadClocks({ idleOrder: true });
  readonly #locks = new LockClocks(this.#clocks);
  readonly #accesses = new VariableAccesses(this.#clocks);
  readonly #volatile = new VolatileAccesses(this.#clocks);
  readonly #blocks = new OutermostBlocks();
  #races = 0;

  constructor({ report }: AnalysisContext) {
    this.#report = report;
  }

  read(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.commuting(READ, thread, variable, event);
    if (rival > 0 || variable < this.#volatile.size) this.#judge(READ, rival, thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.commuting(UPDATE, thread, variable, event);
    if (rival > 0 || variable < this.#volatile.size) this.#judge(UPDATE, rival, thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    const rival = this.#accesses.write(thread, variable, event);
    if (rival > 0 || variable < this.#volatile.size) this.#judge(WRITE, rival, thread, variable, event);
  }

  volatileRead(thread: number, variable: number, event: number): void {
    this.#volatileAccess(READ, thread, variable, event);
  }

  volatileWrite(thread: number, variable: number, event: number): void {
    this.#volatileAccess(WRITE, thread, variable, event);
  }

  volatileUpdate(thread: number, variable: number, event: number): void {
    this.#volatileAccess(UPDATE, thread, variable, event);
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

  send(thread: number, channel: number, event: number): void {
    this.#clocks.channels.send(thread, channel, event);
  }

  receive(thread: number, channel: number): void {
    this.#clocks.channels.receive(thread, channel);
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

  #volatileAccess(kind: number, thread: number, variable: number, event: number): void {
    const volatile = this.#volatile;
    volatile.acquire(kind, thread, variable);
    const rival = this.#accesses.rivalOf(kind, thread, variable);
    if (rival > 0) this.#firstRace(rival, thread, variable, event);
    else if (!this.#accesses.hasRaced(variable)) volatile.add(kind, thread, variable, event);
    volatile.release(kind, thread, variable, event);
  }

  /** A plain access raced with a plain one, which is the `rival`, or may race with a volatile one. */
  #judge(kind: number, rival: number, thread: number, variable: number, event: number): void {
    const latest =
      variable < this.#volatile.size
        ? Math.max(rival, this.#volatile.rivalOf(kind, thread, variable))
        : rival;
    if (latest > 0) this.#firstRace(latest, thread, variable, event);
  }

  #firstRace(earlier: number, thread: number, variable: number, event: number): void {
    this.#accesses.setRaced(variable);
    this.#volatile.forget(variable);
    this.#race(earlier, thread, event);
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
