import {
  accessKind,
  channelOf,
  isAccess,
  isDispatch,
  isOfBarrier,
  isReceipt,
  Op,
} from '../trace/operation.ts';
import { Accesses, LOCK_KIND } from './accesses.ts';
import type { OpenBlockFacts } from './open-block-facts.ts';

/** What was done to each variable, lock, round of a barrier and channel, as far as a search has to know. */
export class AccessedObjects {
  #variables = new Map<number, Accesses>();
  readonly #locks = new Map<number, Accesses>();
  /** By round: arrivals commute with arrivals and departures with departures, like updates and like reads. */
  readonly #rounds = new Map<number, Accesses>();
  /** What is sent updates a channel, and what is received reads it but is not kept: nothing comes after it. */
  readonly #channels = new Map<number, Accesses>();
  readonly #blocks: OpenBlockFacts;

  constructor(blocks: OpenBlockFacts) {
    this.#blocks = blocks;
  }

  /** Those of the object of an event; null if there are none yet. */
  get(thread: number, op: number, operand: number): Accesses | null {
    return this.#objectsLike(op)?.get(this.#key(thread, op, operand)) ?? null;
  }

  add(thread: number, op: number, operand: number): Accesses {
    const accesses = new Accesses();
    this.#objectsLike(op)?.set(this.#key(thread, op, operand), accesses);
    return accesses;
  }

  /** Forgets all but the variables that the block itself has accessed, and gives those. */
  keepOwnVariables(): Iterable<number> {
    this.#variables = new Map([...this.#variables].filter(([, accesses]) => accesses.hasOwn));
    this.#locks.clear();
    this.#rounds.clear();
    this.#channels.clear();
    return this.#variables.keys();
  }

  #objectsLike(op: number): Map<number, Accesses> | null {
    if (isAccess(op)) return this.#variables;
    if (isOfBarrier(op)) return this.#rounds;
    if (isDispatch(op) || isReceipt(op)) return this.#channels;
    return op <= Op.release ? this.#locks : null;
  }

  #key(thread: number, op: number, operand: number): number {
    if (isOfBarrier(op)) return this.#blocks.round(thread, operand);
    return isDispatch(op) || isReceipt(op) ? channelOf(op, operand) : operand;
  }
}

/** As which kind of access to its object an operation conflicts with others. */
export function kindOf(op: number): Op {
  if (op === Op.arrive || isDispatch(op)) return Op.update;
  if (op === Op.leave || isReceipt(op)) return Op.read;
  return isAccess(op) ? accessKind(op) : LOCK_KIND;
}

/** Whether others who do something with the same object may come after it because of that. */
export function isOnObject(op: number): boolean {
  return op <= Op.release || isOfBarrier(op) || isAccess(op) || isDispatch(op);
}
