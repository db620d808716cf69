import type { EventBatch } from './batch.ts';
import { grownInt32 } from './growable.ts';
import type { TraceNames } from './names.ts';
import { OPERATION_COUNT, Op } from './operation.ts';

/** What `trackside info` tells about a trace, by the names that its JSON report uses. */
export interface TraceStatistics {
  events: number;
  threads: number;
  locks: number;
  variables: number;
  /** Outermost blocks. */
  transactions: number;
  /** Events outside every block, each a transaction of its own. */
  unaryTransactions: number;
  labels: number;
  reads: number;
  writes: number;
  updates: number;
  acquires: number;
  releases: number;
  forks: number;
  joins: number;
  begins: number;
  ends: number;
}

/** Counts what is in a trace as it streams by. */
export class StatisticsCounter {
  readonly #names: TraceNames;
  #events = 0;
  #transactions = 0;
  #unary = 0;
  /** By operation; one more for `skip`. */
  readonly #operations = new Float64Array(OPERATION_COUNT + 1);
  /** How many blocks each thread has open. */
  #depth = new Int32Array(16);

  constructor(names: TraceNames) {
    this.#names = names;
  }

  /** To be called with the batch as it was logged. */
  countLogged(batch: EventBatch): void {
    const { op, length } = batch;
    const operations = this.#operations;
    for (let i = 0; i < length; i++) operations[op[i]]++;
    this.#events += length;
  }

  /** To be called with the batch once its well-formedness is checked: inner locking is in no transaction. */
  countTransactions(batch: EventBatch): void {
    this.#depth = grownInt32(this.#depth, this.#names.threads.size);
    const { op, thread, length } = batch;
    const depth = this.#depth;
    for (let i = 0; i < length; i++) {
      if (op[i] === Op.begin) {
        if (depth[thread[i]]++ === 0) this.#transactions++;
      } else if (op[i] === Op.end) {
        depth[thread[i]]--;
      } else if (depth[thread[i]] === 0 && op[i] !== Op.skip) {
        this.#unary++;
      }
    }
  }

  statistics(): TraceStatistics {
    const of = (op: Op) => this.#operations[op];
    return {
      events: this.#events,
      threads: this.#names.threads.size,
      locks: this.#names.locks.size,
      variables: this.#names.variables.size,
      transactions: this.#transactions,
      unaryTransactions: this.#unary,
      labels: this.#names.labels.size,
      reads: of(Op.read),
      writes: of(Op.write),
      updates: of(Op.update),
      acquires: of(Op.acquire),
      releases: of(Op.release),
      forks: of(Op.fork),
      joins: of(Op.join),
      begins: of(Op.begin),
      ends: of(Op.end),
    };
  }
}
