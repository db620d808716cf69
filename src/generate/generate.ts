import { EventBatch } from '../trace/batch.ts';
import { numericLocation } from '../trace/location.ts';
import { TraceNames } from '../trace/names.ts';
import { Op } from '../trace/operation.ts';
import { InputProblem } from '../trace/problem.ts';
import { Random } from './random.ts';

export interface GenerateOptions {
  /** At least this many events; the last transactions are brought to their end. */
  events: number;
  threads: number;
  variables: number;
  /** Locks, each of which guards an equal part of the shared variables. */
  locks: number;
  /** Which part of the variables is shared; the others are divided among the threads. */
  sharedVariables: number;
  /** How likely a transaction uses shared variables at all. */
  sharing: number;
  /** Accesses in a transaction, on average. */
  transactionLength: number;
  /** How likely an access is a write. */
  writes: number;
  /** How likely events happen outside every block, between two transactions. */
  unary: number;
  /** How likely a transaction that shares gives its lock back in the middle: 0 makes a serializable trace. */
  violations: number;
  seed: number;
}

export const GENERATE_DEFAULTS: GenerateOptions = {
  events: 1_000_000,
  threads: 8,
  variables: 10_000,
  locks: 16,
  sharedVariables: 0.1,
  sharing: 0.3,
  transactionLength: 20,
  writes: 0.3,
  unary: 0.2,
  violations: 0,
  seed: 1,
};

const NONE = -1;
const LABELS = 12;
/** A lapse emits the most events at once. */
const MOST_EVENTS_A_STEP = 16;

interface ThreadState {
  open: boolean;
  label: number;
  accessesLeft: number;
  /** The lock it holds. */
  lock: number;
  /** At how many accesses left it lets go of its lock. */
  lapseAt: number;
}

/**
 * A synthetic trace. Threads take turns at random; each runs transactions that touch variables of its own and,
 * under the lock that guards them, shared ones. A transaction keeps its lock to its end, so that the trace is
 * serializable (two-phase locking), unless it is chosen to be broken: then it lets go and locks again halfway.
 */
export class TraceGenerator {
  readonly names = new TraceNames();
  readonly #options: GenerateOptions;
  readonly #random: Random;
  readonly #batch = new EventBatch();
  readonly #threads: ThreadState[] = [];
  readonly #holder: Int32Array;
  readonly #shared: number;
  #events = 0;

  constructor(options: GenerateOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#holder = new Int32Array(options.locks).fill(NONE);
    // Every lock guards at least one variable, or there is nothing to share.
    this.#shared =
      options.locks === 0
        ? 0
        : Math.max(options.locks, Math.floor(options.variables * options.sharedVariables));
    if (options.threads < 1 || options.transactionLength < 1) {
      throw new InputProblem('a trace needs at least one thread, and transactions of at least one access');
    }
    if (this.#shared + options.threads > options.variables) {
      throw new InputProblem('there are too few variables', {
        found: `${options.variables}`,
        expected: `at least one for each of ${options.threads} threads beside ${this.#shared} shared ones`,
      });
    }
    for (let t = 0; t < options.threads; t++) {
      this.names.threads.internText(`T${t}`);
      this.#threads.push({ open: false, label: 0, accessesLeft: 0, lock: NONE, lapseAt: NONE });
    }
    for (let l = 0; l < options.locks; l++) this.names.locks.internText(`L${l}`);
    for (let v = 0; v < options.variables; v++) this.names.variables.internText(`V${v}`);
    for (let m = 0; m < LABELS; m++) this.names.labels.internText(`Worker.step${m}`);
  }

  *batches(): Generator<EventBatch> {
    const { threads, events } = this.#options;
    for (let t = 1; t < threads; t++) this.#emit(0, Op.fork, t);
    while (this.#events < events) {
      this.#step(this.#random.below(threads));
      if (this.#batch.length > this.#batch.capacity - MOST_EVENTS_A_STEP) yield* this.#handOver();
    }
    for (let t = 0; t < threads; t++) {
      this.#close(t);
      if (this.#batch.length > this.#batch.capacity - MOST_EVENTS_A_STEP) yield* this.#handOver();
    }
    for (let t = 1; t < threads; t++) {
      this.#emit(0, Op.join, t);
      if (this.#batch.length > this.#batch.capacity - MOST_EVENTS_A_STEP) yield* this.#handOver();
    }
    yield* this.#handOver();
  }

  *#handOver(): Generator<EventBatch> {
    if (this.#batch.length > 0) yield this.#batch;
    this.#batch.advance();
  }

  #step(t: number): void {
    const thread = this.#threads[t];
    if (!thread.open) {
      if (this.#random.chance(this.#options.unary)) this.#access(t, false);
      else this.#open(t);
    } else if (thread.accessesLeft > 0) {
      thread.accessesLeft--;
      if (thread.accessesLeft === thread.lapseAt) this.#lapse(t);
      this.#access(t, thread.lock !== NONE && this.#random.chance(0.5));
    } else {
      this.#close(t);
    }
  }

  #open(t: number): void {
    const thread = this.#threads[t];
    const length = 1 + this.#random.below(2 * this.#options.transactionLength);
    thread.label = length % LABELS;
    this.#emit(t, Op.begin, thread.label);
    thread.open = true;
    thread.accessesLeft = length;
    thread.lapseAt = NONE;
    if (this.#shared === 0 || !this.#random.chance(this.#options.sharing)) return;
    const lock = this.#random.below(this.#options.locks);
    if (!this.#take(t, lock)) return;
    if (this.#random.chance(this.#options.violations)) thread.lapseAt = length >> 1;
  }

  /** Gives the lock back and tries to get it again at once: whoever comes between breaks the transaction. */
  #lapse(t: number): void {
    const thread = this.#threads[t];
    const lock = thread.lock;
    this.#emit(t, Op.release, lock);
    this.#holder[lock] = NONE;
    thread.lock = NONE;
    const rival = this.#random.below(this.#options.threads);
    if (rival !== t && !this.#threads[rival].open) {
      this.#take(rival, lock);
      this.#sharedAccess(rival);
      this.#emit(rival, Op.release, lock);
      this.#holder[lock] = NONE;
      this.#threads[rival].lock = NONE;
    }
    this.#take(t, lock);
    this.#sharedAccess(t);
  }

  #take(t: number, lock: number): boolean {
    if (this.#holder[lock] !== NONE) return false;
    this.#holder[lock] = t;
    this.#threads[t].lock = lock;
    this.#emit(t, Op.acquire, lock);
    return true;
  }

  #close(t: number): void {
    const thread = this.#threads[t];
    if (!thread.open) return;
    if (thread.lock !== NONE) {
      this.#emit(t, Op.release, thread.lock);
      this.#holder[thread.lock] = NONE;
      thread.lock = NONE;
    }
    this.#emit(t, Op.end, thread.label);
    thread.open = false;
  }

  #access(t: number, shared: boolean): void {
    if (shared) {
      this.#sharedAccess(t);
      return;
    }
    const { variables, threads } = this.#options;
    const own = Math.floor((variables - this.#shared) / threads);
    const variable = this.#shared + t * own + this.#random.below(own);
    this.#emit(t, this.#random.chance(this.#options.writes) ? Op.write : Op.read, variable);
  }

  #sharedAccess(t: number): void {
    const { locks } = this.#options;
    const perLock = Math.floor(this.#shared / locks);
    const variable = this.#threads[t].lock * perLock + this.#random.below(perLock);
    this.#emit(t, this.#random.chance(this.#options.writes) ? Op.write : Op.read, variable);
  }

  #emit(t: number, op: Op, operand: number): void {
    this.#batch.push(t, op, operand, numericLocation(op * 100 + (operand % 97)), 0);
    this.#events++;
  }
}
