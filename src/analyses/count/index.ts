import { grownInt32 } from '../../trace/growable.ts';
import { isConditionChannel } from '../../trace/operation.ts';
import type { Analysis, AnalysisDescription, Outcome } from '../analysis.ts';

/** The smallest analysis that does something, and so the example to start from. */
class Count implements Analysis {
  #reads = 0;
  #writes = 0;
  #updates = 0;
  #acquires = 0;
  #releases = 0;
  #forks = 0;
  #joins = 0;
  #arrivals = 0;
  #leaves = 0;
  #volatileReads = 0;
  #volatileWrites = 0;
  #volatileUpdates = 0;
  #sends = 0;
  #receives = 0;
  #notifies = 0;
  #waits = 0;
  #begins = 0;
  #ends = 0;
  #transactions = 0;
  #unary = 0;
  /** How many blocks each thread has open. */
  #depth = new Int32Array(16);

  read(thread: number): void {
    this.#reads++;
    this.#countUnary(thread);
  }

  write(thread: number): void {
    this.#writes++;
    this.#countUnary(thread);
  }

  update(thread: number): void {
    this.#updates++;
    this.#countUnary(thread);
  }

  acquire(thread: number): void {
    this.#acquires++;
    this.#countUnary(thread);
  }

  release(thread: number): void {
    this.#releases++;
    this.#countUnary(thread);
  }

  fork(thread: number): void {
    this.#forks++;
    this.#countUnary(thread);
  }

  join(thread: number): void {
    this.#joins++;
    this.#countUnary(thread);
  }

  arrive(thread: number): void {
    this.#arrivals++;
    this.#countUnary(thread);
  }

  leave(thread: number): void {
    this.#leaves++;
    this.#countUnary(thread);
  }

  volatileRead(thread: number): void {
    this.#volatileReads++;
    this.#countUnary(thread);
  }

  volatileWrite(thread: number): void {
    this.#volatileWrites++;
    this.#countUnary(thread);
  }

  volatileUpdate(thread: number): void {
    this.#volatileUpdates++;
    this.#countUnary(thread);
  }

  send(thread: number, channel: number): void {
    if (isConditionChannel(channel)) this.#notifies++;
    else this.#sends++;
    this.#countUnary(thread);
  }

  receive(thread: number, channel: number): void {
    if (isConditionChannel(channel)) this.#waits++;
    else this.#receives++;
    this.#countUnary(thread);
  }

  begin(thread: number): void {
    this.#begins++;
    this.#depth = grownInt32(this.#depth, thread + 1);
    if (this.#depth[thread]++ === 0) this.#transactions++;
  }

  end(thread: number): void {
    this.#ends++;
    this.#depth[thread]--;
  }

  finish(): void {}

  outcome(): Outcome {
    return {
      serializable: null,
      firstEvent: null,
      statistics: {
        reads: this.#reads,
        writes: this.#writes,
        updates: this.#updates,
        acquires: this.#acquires,
        releases: this.#releases,
        forks: this.#forks,
        joins: this.#joins,
        arrivals: this.#arrivals,
        leaves: this.#leaves,
        volatileReads: this.#volatileReads,
        volatileWrites: this.#volatileWrites,
        volatileUpdates: this.#volatileUpdates,
        sends: this.#sends,
        receives: this.#receives,
        notifies: this.#notifies,
        waits: this.#waits,
        begins: this.#begins,
        ends: this.#ends,
        transactions: this.#transactions,
        unaryTransactions: this.#unary,
      },
    };
  }

  /** An event outside every block is a transaction of its own. */
  #countUnary(thread: number): void {
    if (thread >= this.#depth.length || this.#depth[thread] === 0) this.#unary++;
  }
}

export const count: AnalysisDescription = {
  name: 'count',
  summary: 'counts operations and transactions',
  promise: 'decides nothing and reports nothing; its statistics are exact',
  source: null,
  create: () => new Count(),
};
