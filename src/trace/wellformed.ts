import { BarrierRounds } from './barrier-rounds.ts';
import type { EventBatch } from './batch.ts';
import { grownInt32, grownUint8 } from './growable.ts';
import type { TraceNames } from './names.ts';
import { OpenBlocks } from './open-blocks.ts';
import { MNEMONICS, Op } from './operation.ts';
import { quoted } from './printable.ts';
import { InputProblem, type Position } from './problem.ts';

/** What a trace may do wrong, and what `--lenient` does about it. */
export const RULES = {
  'release-not-held': 'a release of a lock that its thread does not hold is dropped',
  'acquire-held': 'an acquire of a lock that another thread holds is dropped',
  'end-without-begin': 'an end with no open block is dropped',
  'end-of-other-block': 'an end with another label is taken as the end of the innermost block',
  'fork-of-running': 'a fork of a thread that already has events is dropped',
  'fork-twice': 'a second fork of a thread is dropped',
  'fork-of-itself': 'a fork of a thread by itself is dropped',
  'join-of-itself': 'a join of a thread by itself is dropped',
  'event-after-join': 'an event of a thread that was joined before is dropped',
  'arrive-twice': 'an arrival at a barrier that its thread has not left is dropped',
  'leave-without-arrive': 'a leave of a barrier at which its thread has not arrived is dropped',
  'receive-without-send': 'a receive of a message that nobody has sent is dropped',
} as const;

export type Rule = keyof typeof RULES;

const FREE = -1;

/* What is known of a thread. */
const UNSEEN = 0;
const FORKED = 1;
const RUNNING = 2;
const JOINED = 3;

/**
 * Checks the order of events as they stream by (SEMANTICS, "Well-formed"). Turns into `Op.skip` what no
 * analysis must see: the inner pairs of re-entrant locking and, when lenient, what breaks a rule.
 */
export class WellFormedness {
  /** How often each rule was broken; only ever filled when lenient. */
  readonly repairs = new Map<Rule, number>();
  /** How many blocks have begun. */
  begun = 0;
  readonly #names: TraceNames;
  readonly #lenient: boolean;
  #threadState = new Uint8Array(16);
  #wasForked = new Uint8Array(16);
  /** Kept apart from the state, which forgets it when the thread is joined. */
  #hasEvents = new Uint8Array(16);
  readonly #blocks = new OpenBlocks();
  #holder = new Int32Array(16).fill(FREE);
  #depth = new Int32Array(16);
  readonly #barriers = new BarrierRounds();
  /** By message: whether it was sent. */
  #sent = new Uint8Array(16);
  /** Whether a thread was joined, or had an event after that: each of its events is looked at then. */
  #wasJoined = false;
  #batch!: EventBatch;
  #locate!: (offset: number) => Position;

  constructor(names: TraceNames, options: { lenient: boolean }) {
    this.#names = names;
    this.#lenient = options.lenient;
  }

  /** Checks one batch in place; `locate` finds the line of an event for the message. */
  check(batch: EventBatch, locate: (offset: number) => Position = () => ({})): void {
    this.#batch = batch;
    this.#locate = locate;
    this.#makeRoom();
    const { op, thread, length } = batch;
    const state = this.#threadState;
    // Small, because a large loop is compiled too late for a short trace; nearly all events are accesses.
    for (let i = this.#checkNotable(batch); i < length; i++) {
      if (op[i] > Op.update || state[thread[i]] !== RUNNING) this.#checkEvent(i);
    }
  }

  /** As far as it is known which events to look at; returns the index of the first one behind that. */
  #checkNotable({ notable, notableCount, notedUpTo }: EventBatch): number {
    const { op, thread, operand } = this.#batch;
    const state = this.#threadState;
    const blocks = this.#blocks;
    this.#wasJoined = false;
    for (let k = 0; k < notableCount; k++) {
      const i = notable[k];
      const t = thread[i];
      // Most of them begin and end blocks.
      if (state[t] === RUNNING && op[i] === Op.begin) {
        this.begun++;
        blocks.begin(t, operand[i]);
      } else if (state[t] === RUNNING && op[i] === Op.end && blocks.innermost(t) === operand[i]) {
        blocks.end(t);
      } else {
        this.#checkEvent(i);
        if (this.#wasJoined) return i + 1;
      }
    }
    return notedUpTo;
  }

  /** The numbers of these threads, which are over, are going to be those of others. */
  forgetThreads(threads: readonly number[]): void {
    for (const thread of threads) {
      this.#threadState[thread] = UNSEEN;
      this.#wasForked[thread] = 0;
      this.#hasEvents[thread] = 0;
      this.#blocks.forget(thread);
    }
  }

  /** The numbers of these locks, which nobody has, are going to be those of others. */
  forgetLocks(locks: readonly number[]): void {
    for (const lock of locks) {
      this.#holder[lock] = FREE;
      this.#depth[lock] = 0;
      this.#sent[lock] = 0;
    }
  }

  /** Anything but an access of a thread that has had its first event. */
  #checkEvent(i: number): void {
    const { op, thread, operand } = this.#batch;
    const t = thread[i];
    if (this.#threadState[t] !== RUNNING && !this.#enter(t, i)) return;
    switch (op[i]) {
      case Op.acquire:
        this.#acquire(t, operand[i], i);
        break;
      case Op.release:
        this.#release(t, operand[i], i);
        break;
      case Op.fork:
        this.#fork(t, operand[i], i);
        break;
      case Op.join:
        if (operand[i] === t) this.#broken('join-of-itself', i);
        else this.#threadState[operand[i]] = JOINED;
        this.#wasJoined = true;
        break;
      case Op.begin:
        this.begun++;
        this.#blocks.begin(t, operand[i]);
        break;
      case Op.end:
        this.#end(t, operand[i], i);
        break;
      case Op.arrive:
        this.#arrive(t, operand[i], i);
        break;
      case Op.leave:
        this.#leave(t, operand[i], i);
        break;
      case Op.send:
        this.#sent[operand[i]] = 1;
        break;
      case Op.receive:
        if (this.#sent[operand[i]] === 0) this.#broken('receive-without-send', i);
        break;
    }
  }

  /** Decoders name everything before the batch is handed on, so the tables tell how many ids there are. */
  #makeRoom(): void {
    const threads = this.#names.threads.size;
    this.#blocks.makeRoom(threads);
    this.#threadState = grownUint8(this.#threadState, threads);
    this.#wasForked = grownUint8(this.#wasForked, threads);
    this.#hasEvents = grownUint8(this.#hasEvents, threads);
    const locks = this.#names.locks.size;
    this.#holder = grownInt32(this.#holder, locks, FREE);
    this.#depth = grownInt32(this.#depth, locks);
    this.#sent = grownUint8(this.#sent, locks);
  }

  /** The first event of a thread, or one that comes too late. */
  #enter(thread: number, index: number): boolean {
    if (this.#threadState[thread] === JOINED) {
      this.#wasJoined = true;
      this.#broken('event-after-join', index);
      return false;
    }
    this.#threadState[thread] = RUNNING;
    this.#hasEvents[thread] = 1;
    return true;
  }

  #acquire(thread: number, lock: number, index: number): void {
    const holder = this.#holder[lock];
    if (holder === FREE) {
      this.#holder[lock] = thread;
      this.#depth[lock] = 1;
    } else if (holder === thread) {
      this.#depth[lock]++;
      this.#batch.op[index] = Op.skip;
    } else {
      this.#broken('acquire-held', index);
    }
  }

  #release(thread: number, lock: number, index: number): void {
    if (this.#holder[lock] !== thread) {
      this.#broken('release-not-held', index);
    } else if (--this.#depth[lock] === 0) {
      this.#holder[lock] = FREE;
    } else {
      this.#batch.op[index] = Op.skip;
    }
  }

  #fork(thread: number, child: number, index: number): void {
    if (child === thread) this.#broken('fork-of-itself', index);
    else if (this.#wasForked[child] === 1) this.#broken('fork-twice', index);
    else if (this.#hasEvents[child] === 1) this.#broken('fork-of-running', index);
    else {
      this.#wasForked[child] = 1;
      // A thread that was joined before it was forked has no events, and may have none from now on.
      if (this.#threadState[child] === UNSEEN) this.#threadState[child] = FORKED;
    }
  }

  #arrive(thread: number, barrier: number, index: number): void {
    if (this.#barriers.isInside(thread, barrier)) this.#broken('arrive-twice', index);
    else this.#barriers.arrive(thread, barrier);
  }

  #leave(thread: number, barrier: number, index: number): void {
    if (!this.#barriers.isInside(thread, barrier)) {
      this.#broken('leave-without-arrive', index);
      return;
    }
    const round = this.#barriers.leave(thread, barrier);
    if (this.#barriers.isOver(round)) this.#barriers.giveBack(round);
  }

  #end(thread: number, label: number, index: number): void {
    const innermost = this.#blocks.innermost(thread);
    if (innermost < 0) {
      this.#broken('end-without-begin', index);
      return;
    }
    if (label !== innermost) {
      // An end may leave its label out; any other label is a broken rule.
      if (this.#names.labels.byteLength(label) > 0) this.#broken('end-of-other-block', index);
      this.#batch.op[index] = Op.end;
      this.#batch.operand[index] = innermost;
    }
    this.#blocks.end(thread);
  }

  /** Refuses the trace, or drops the event and counts it. */
  #broken(rule: Rule, index: number): void {
    if (!this.#lenient) throw this.#problem(rule, index);
    this.repairs.set(rule, (this.repairs.get(rule) ?? 0) + 1);
    this.#batch.op[index] = Op.skip;
  }

  #problem(rule: Rule, index: number): InputProblem {
    const batch = this.#batch;
    const op = batch.op[index] as Op;
    const operand = batch.operand[index];
    const t = batch.thread[index];
    const thread = quoted(this.#names.threads.text(t));
    const name = this.#names.operandTable(op).text(operand);
    const position = { ...this.#locate(batch.offset[index]), event: batch.firstEvent + index };
    const { summary, expected } = this.#explain(rule, t, thread, op, operand, quoted(name));
    const found = `${MNEMONICS[op]}(${quoted(name).slice(1, -1)}) by thread ${thread}`;
    return new InputProblem(summary, { position, found, expected });
  }

  #explain(
    rule: Rule,
    t: number,
    thread: string,
    op: Op,
    operand: number,
    name: string,
  ): { summary: string; expected: string } {
    const holder = op === Op.acquire || op === Op.release ? this.#holder[operand] : FREE;
    const heldBy = holder === FREE ? '' : quoted(this.#names.threads.text(holder));
    switch (rule) {
      case 'release-not-held':
        return {
          summary: `thread ${thread} releases lock ${name}, which ${heldBy === '' ? 'nobody holds' : `thread ${heldBy} holds`}`,
          expected: `an acquire of ${name} by thread ${thread} before it`,
        };
      case 'acquire-held':
        return {
          summary: `thread ${thread} acquires lock ${name}, which thread ${heldBy} still holds`,
          expected: `a release of ${name} by thread ${heldBy} before it`,
        };
      case 'end-without-begin':
        return {
          summary: `thread ${thread} ends block ${name}, but has no open block`,
          expected: `a begin(${name.slice(1, -1)}) by thread ${thread} before it`,
        };
      case 'end-of-other-block': {
        const innermost = quoted(this.#names.labels.text(this.#blocks.innermost(t)));
        return {
          summary: `thread ${thread} ends block ${name}, but its innermost open block is ${innermost}`,
          expected: `end(${innermost.slice(1, -1)})`,
        };
      }
      case 'fork-of-running':
        return {
          summary: `thread ${thread} forks thread ${name}, which already has events`,
          expected: `the fork of ${name} before its first event`,
        };
      case 'fork-twice':
        return {
          summary: `thread ${thread} forks thread ${name}, which was forked before`,
          expected: 'at most one fork for each thread',
        };
      case 'fork-of-itself':
        return { summary: `thread ${thread} forks itself`, expected: 'a fork of another thread' };
      case 'join-of-itself':
        return { summary: `thread ${thread} joins itself`, expected: 'a join of another thread' };
      case 'event-after-join':
        return {
          summary: `thread ${thread} has an event after it was joined`,
          expected: `the join of ${thread} after its last event`,
        };
      case 'arrive-twice':
        return {
          summary: `thread ${thread} arrives at barrier ${name}, where it has arrived before`,
          expected: `a leave(${name.slice(1, -1)}) by thread ${thread} before it`,
        };
      case 'leave-without-arrive':
        return {
          summary: `thread ${thread} leaves barrier ${name}, at which it has not arrived`,
          expected: `an arrive(${name.slice(1, -1)}) by thread ${thread} before it`,
        };
      case 'receive-without-send':
        return {
          summary: `thread ${thread} receives message ${name}, which nobody has sent`,
          expected: `a send(${name.slice(1, -1)}) before it`,
        };
    }
  }
}
