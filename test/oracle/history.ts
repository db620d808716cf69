import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERAND_KINDS, Op } from '../../src/trace/operation.ts';

/*
 * A trace in the words of the definitions: which events count, which conflict, which blocks there are and
 * which transaction each event belongs to. Events are indices from 0; their numbers are one more.
 */

/** The events of a well-formed trace, with names replaced by integers. */
export class History {
  readonly length: number;
  readonly thread: Int32Array;
  readonly op: Uint8Array;
  /** An integer for the variable, lock, thread or label; threads are the same integers as in `thread`. */
  readonly operand: Int32Array;
  /** 0 for an event that the definitions do not see: a re-entrant acquire or its release. */
  readonly counts: Uint8Array;
  /** Of an arrival at a barrier or a departure from it: which round of all barriers it belongs to. */
  readonly round: Int32Array;

  constructor(events: readonly NamedEvent[]) {
    this.length = events.length;
    this.thread = new Int32Array(events.length);
    this.op = new Uint8Array(events.length);
    this.operand = new Int32Array(events.length);
    this.counts = new Uint8Array(events.length);
    this.round = new Int32Array(events.length);
    const ids = {
      thread: new Map(),
      variable: new Map(),
      lock: new Map(),
      label: new Map(),
      barrier: new Map(),
      message: new Map(),
      condition: new Map(),
    };
    const held = new Map<number, number>();
    events.forEach((event, i) => {
      this.thread[i] = idOf(ids.thread, event.thread);
      this.op[i] = event.op;
      if (event.op === Op.skip) return;
      this.operand[i] = idOf(ids[OPERAND_KINDS[event.op]], event.operand);
      this.counts[i] = this.#isReentrant(i, held) ? 0 : 1;
      this.round[i] = this.#roundOf(i);
    });
  }

  /**
   * A departure belongs to the round of its thread's last arrival. An arrival belongs to the round of the arrival
   * at the barrier before it, unless somebody has left that one since.
   */
  #roundOf(i: number): number {
    if (this.op[i] !== Op.arrive && this.op[i] !== Op.leave) return 0;
    const ofBarrier = (j: number, op: number) => this.op[j] === op && this.operand[j] === this.operand[i];
    if (this.op[i] === Op.leave) {
      for (let j = i - 1; ; j--)
        if (ofBarrier(j, Op.arrive) && this.thread[j] === this.thread[i]) return this.round[j];
    }
    let last = i - 1;
    while (last >= 0 && !ofBarrier(last, Op.arrive)) last--;
    if (last < 0) return i + 1;
    for (let j = last + 1; j < i; j++)
      if (ofBarrier(j, Op.leave) && this.round[j] === this.round[last]) return i + 1;
    return this.round[last];
  }

  #isReentrant(i: number, held: Map<number, number>): boolean {
    const depth = held.get(this.operand[i]) ?? 0;
    if (this.op[i] === Op.acquire) {
      held.set(this.operand[i], depth + 1);
      return depth > 0;
    }
    if (this.op[i] === Op.release) {
      held.set(this.operand[i], depth - 1);
      return depth > 1;
    }
    return false;
  }

  /** Whether an event conflicts with a later one. Only of messages and conditions does it matter which is later. */
  conflict(i: number, j: number): boolean {
    if (this.thread[i] === this.thread[j]) return true;
    if (this.#isAbout(i, this.thread[j]) || this.#isAbout(j, this.thread[i])) return true;
    if (this.operand[i] !== this.operand[j]) return false;
    const a = this.op[i];
    const b = this.op[j];
    if (isLockOperation(a)) return isLockOperation(b);
    if (isOfBarrier(a)) return isOfBarrier(b) && a !== b && this.round[i] === this.round[j];
    if (a === Op.send) return b === Op.receive;
    if (a === Op.notify) return b === Op.wait;
    // Reads commute with reads, updates commute with updates, and nothing else commutes.
    return isAccess(a) && isAccess(b) && !(kindOf(a) === kindOf(b) && kindOf(a) !== Op.write);
  }

  /** Whether event `i` forks or joins `thread`. */
  #isAbout(i: number, thread: number): boolean {
    return isForkOrJoin(this.op[i]) && this.operand[i] === thread;
  }
}

function idOf(ids: Map<string, number>, name: string): number {
  let id = ids.get(name);
  if (id === undefined) {
    id = ids.size;
    ids.set(name, id);
  }
  return id;
}

/** Volatile or not makes no difference to what commutes. */
function kindOf(op: number): number {
  if (op === Op.volatileRead) return Op.read;
  if (op === Op.volatileWrite) return Op.write;
  return op === Op.volatileUpdate ? Op.update : op;
}

export function isVolatile(op: number): boolean {
  return op === Op.volatileRead || op === Op.volatileWrite || op === Op.volatileUpdate;
}

export function isAccess(op: number): boolean {
  return op === Op.read || op === Op.write || op === Op.update || isVolatile(op);
}

export function isOfChannel(op: number): boolean {
  return op === Op.send || op === Op.receive || op === Op.notify || op === Op.wait;
}

function isLockOperation(op: number): boolean {
  return op === Op.acquire || op === Op.release;
}

export function isForkOrJoin(op: number): boolean {
  return op === Op.fork || op === Op.join;
}

export function isOfBarrier(op: number): boolean {
  return op === Op.arrive || op === Op.leave;
}

/** What ends a transaction where forks and joins are boundaries. */
export function isBoundary(op: number): boolean {
  return isForkOrJoin(op) || isOfBarrier(op) || isOfChannel(op);
}

/** A block, or a piece of one where forks and joins are boundaries. */
export interface Block {
  thread: number;
  /** The number by which the block is known: that of its begin, or of the fork or join that cut it. */
  begin: number;
  /** How many open blocks of its thread it lies in. */
  depth: number;
  outermost: boolean;
  /** Its first and last event. All that its thread does between them is inside the block. */
  first: number;
  last: number;
  /** Where it ends: at its last event, or where the trace does if nothing ends it before. */
  end: number;
}

export interface Structure {
  /** Every block that has an event, nested ones included. */
  blocks: Block[];
  /** The transaction of each event: -1 for an event that does not count. */
  transactionOf: Int32Array;
  transactions: number;
}

interface OpenPiece {
  begin: number;
  first: number;
  last: number;
}

/**
 * Finds blocks and transactions. Every block of a thread is cut at the boundaries, if there are any: such an event
 * is a unary transaction, and what is left of the blocks starts after it.
 */
export function structureOf(history: History, boundary: boolean | ((op: number) => boolean)): Structure {
  const isCut = typeof boundary === 'function' ? boundary : (op: number) => boundary && isBoundary(op);
  const blocks: Block[] = [];
  const transactionOf = new Int32Array(history.length).fill(-1);
  const open = new Map<number, OpenPiece[]>();
  const running = new Map<number, number>();
  let transactions = 0;

  const close = (thread: number, piece: OpenPiece, depth: number, end: number) => {
    const { begin, first, last } = piece;
    if (first >= 0) blocks.push({ thread, begin, depth, outermost: depth === 0, first, last, end });
  };

  for (let i = 0; i < history.length; i++) {
    if (history.counts[i] === 0) continue;
    const thread = history.thread[i];
    let pieces = open.get(thread);
    if (pieces === undefined) {
      pieces = [];
      open.set(thread, pieces);
    }

    if (isCut(history.op[i]) && pieces.length > 0) {
      pieces.forEach((piece, depth) => {
        close(thread, piece, depth, i);
      });
      open.set(
        thread,
        pieces.map(() => ({ begin: i + 1, first: -1, last: -1 })),
      );
      running.delete(thread);
      transactionOf[i] = transactions++;
      continue;
    }

    if (history.op[i] === Op.begin) pieces.push({ begin: i + 1, first: i, last: i });
    if (pieces.length === 0) {
      transactionOf[i] = transactions++;
      continue;
    }
    for (const piece of pieces) {
      if (piece.first < 0) piece.first = i;
      piece.last = i;
    }
    if (!running.has(thread)) running.set(thread, transactions++);
    transactionOf[i] = running.get(thread)!;
    if (history.op[i] === Op.end) {
      close(thread, pieces.pop()!, pieces.length, i);
      if (pieces.length === 0) running.delete(thread);
    }
  }
  for (const [thread, pieces] of open)
    pieces.forEach((piece, depth) => {
      close(thread, piece, depth, history.length - 1);
    });
  return { blocks, transactionOf, transactions };
}
