import type { EventBatch } from './batch.ts';
import { grownInt32, grownUint8 } from './growable.ts';
import type { TraceNames } from './names.ts';
import { OPERAND_KINDS, OPERATION_COUNT, Op } from './operation.ts';

/** What `trackside info` tells about a trace, by the names that its JSON report uses. */
export interface TraceStatistics {
  events: number;
  threads: number;
  locks: number;
  barriers: number;
  messages: number;
  conditions: number;
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
  arrivals: number;
  leaves: number;
  volatileReads: number;
  volatileWrites: number;
  volatileUpdates: number;
  sends: number;
  receives: number;
  notifies: number;
  waits: number;
  begins: number;
  ends: number;
}

/* What a name of the table of locks is; it may be several of these. */
const LOCK = 1;
const BARRIER = 2;
const MESSAGE = 4;
const CONDITION = 8;

/** By operation: what its operand is of these, or 0. */
const USE = Uint8Array.from([...OPERAND_KINDS, null], (kind) => {
  if (kind === 'lock') return LOCK;
  if (kind === 'barrier') return BARRIER;
  if (kind === 'message') return MESSAGE;
  return kind === 'condition' ? CONDITION : 0;
});

/** Counts what is in a trace as it streams by. */
export class StatisticsCounter {
  readonly #names: TraceNames;
  #events = 0;
  #transactions = 0;
  #unary = 0;
  #labels = 0;
  /** By operation; one more for `skip`. */
  readonly #operations = new Float64Array(OPERATION_COUNT + 1);
  /** How many blocks each thread has open. */
  #depth = new Int32Array(16);
  #labelSeen = new Uint8Array(16);
  #nameUse = new Uint8Array(16);
  /** By use: how many names have it. */
  readonly #used = new Int32Array(CONDITION + 1);

  constructor(names: TraceNames) {
    this.#names = names;
  }

  /** To be called with the batch as it was logged. */
  countLogged(batch: EventBatch): void {
    const { op, operand, length } = batch;
    const operations = this.#operations;
    this.#nameUse = grownUint8(this.#nameUse, this.#names.locks.size);
    for (let i = 0; i < length; i++) {
      operations[op[i]]++;
      if (USE[op[i]] > 0) this.#countUse(operand[i], USE[op[i]]);
    }
    this.#events += length;
  }

  /** Takes back the events from index `from` on: something is wrong with the first of them. */
  uncountFrom(batch: EventBatch, from: number): void {
    for (let i = from; i < batch.length; i++) this.#operations[batch.op[i]]--;
    this.#events -= batch.length - from;
  }

  /** To be called with the batch once its well-formedness is checked: inner locking is in no transaction. */
  countTransactions(batch: EventBatch): void {
    this.#depth = grownInt32(this.#depth, this.#names.threads.size);
    this.#labelSeen = grownUint8(this.#labelSeen, this.#names.labels.size);
    const { op, thread, operand, length } = batch;
    const depth = this.#depth;
    for (let i = 0; i < length; i++) {
      if (op[i] === Op.begin) {
        this.#countLabel(operand[i]);
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
      locks: this.#used[LOCK],
      barriers: this.#used[BARRIER],
      messages: this.#used[MESSAGE],
      conditions: this.#used[CONDITION],
      variables: this.#names.variables.size,
      transactions: this.#transactions,
      unaryTransactions: this.#unary,
      labels: this.#labels,
      reads: of(Op.read),
      writes: of(Op.write),
      updates: of(Op.update),
      acquires: of(Op.acquire),
      releases: of(Op.release),
      forks: of(Op.fork),
      joins: of(Op.join),
      arrivals: of(Op.arrive),
      leaves: of(Op.leave),
      volatileReads: of(Op.volatileRead),
      volatileWrites: of(Op.volatileWrite),
      volatileUpdates: of(Op.volatileUpdate),
      sends: of(Op.send),
      receives: of(Op.receive),
      notifies: of(Op.notify),
      waits: of(Op.wait),
      begins: of(Op.begin),
      ends: of(Op.end),
    };
  }

  #countUse(name: number, use: number): void {
    if ((this.#nameUse[name] & use) === 0) this.#used[use]++;
    this.#nameUse[name] |= use;
  }

  /** Only of blocks: an end that leaves its label out has the empty one. */
  #countLabel(label: number): void {
    if (this.#labelSeen[label] === 0) this.#labels++;
    this.#labelSeen[label] = 1;
  }
}
