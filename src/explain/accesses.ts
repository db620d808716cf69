import { Op } from '../trace/operation.ts';
import { accessesConflict, patternOf, severityOf } from './pattern.ts';
import type { EventFact, Interference } from './witness.ts';

/** How another thread was reached from the block: by a conflict, and what reached the thread that it came from. */
export interface Reach {
  /** How many conflicts lead there. */
  hops: number;
  from: EventFact;
  to: EventFact;
  /** Null where `from` is an event of the block. */
  before: Reach | null;
}

/** An event that is in the block, or that something in the block happens before. */
export interface Access {
  /** How many conflicts lead there; 0 in the block itself. */
  hops: number;
  fact: EventFact;
  /** How its thread was reached; null in the block itself. */
  reach: Reach | null;
}

/** Two accesses, one of the block and a later one of another thread: half of an interference. */
interface Opening {
  first: EventFact;
  between: EventFact;
}

const KINDS = [Op.read, Op.write, Op.update] as const;
/** Everything that happens to a lock conflicts with everything else that does, as writes do. */
export const LOCK_KIND = Op.write;

/**
 * What one search has to remember about one variable or lock. An access conflicts with every conflicting access
 * before it, not only with the last ones, so the access of each kind with the fewest hops says all that a
 * shortest path needs. Accesses are of three kinds: reads, writes and updates.
 */
export class Accesses {
  /** The last access of each kind in the block. These are overwritten: whoever keeps one copies its fact. */
  readonly #own: (Access | null)[] = [null, null, null];
  /** The access of each kind by others with the fewest hops. */
  readonly #others: (Access | null)[] = [null, null, null];
  #openings: (Opening | null)[] | null = null;

  get hasOwn(): boolean {
    return this.#own.some((access) => access !== null);
  }

  /** Where the block's last access of this kind is remembered; null until there is one to `setOwn`. */
  own(kind: Op): EventFact | null {
    return this.#own[kind]?.fact ?? null;
  }

  setOwn(kind: Op, fact: EventFact): void {
    this.#own[kind] = { hops: 0, fact, reach: null };
  }

  /** Whether an access with so many hops is news. */
  isCloser(kind: Op, hops: number): boolean {
    const known = this.#others[kind];
    return known === null || hops < known.hops;
  }

  setOther(kind: Op, access: Access): void {
    this.#others[kind] = access;
  }

  /** The access by others that conflicts with one of this kind and has the fewest hops. */
  nearestOther(kind: Op): Access | null {
    let nearest: Access | null = null;
    for (const other of KINDS) {
      const access = this.#others[other];
      if (access === null || !accessesConflict(kind, other)) continue;
      if (nearest === null || access.hops < nearest.hops) nearest = access;
    }
    return nearest;
  }

  /** The latest access in the block that conflicts with one of this kind. */
  latestOwn(kind: Op): Access | null {
    let latest: Access | null = null;
    for (const own of KINDS) {
      const access = this.#own[own];
      if (access === null || !accessesConflict(kind, own)) continue;
      if (latest === null || access.fact.event > latest.fact.event) latest = access;
    }
    return latest;
  }

  /** Whether an access of this kind by another thread is the first to come after one it conflicts with. */
  isOpening(kind: Op): boolean {
    return this.#opensAfterRead(kind) || this.#opensAfterWrite(kind);
  }

  /** Another thread's access, for which `isOpening` holds. */
  open(between: EventFact): void {
    this.#openings ??= new Array(2 * KINDS.length).fill(null);
    const kind = between.op;
    if (this.#opensAfterRead(kind))
      this.#openings[kind] = { first: { ...this.#own[Op.read]!.fact }, between };
    if (this.#opensAfterWrite(kind))
      this.#openings[KINDS.length + kind] = { first: { ...this.#latestOwnWrite(kind)!.fact }, between };
  }

  /** The worst interference that an access of this kind in the block completes. */
  completed(kind: Op): Omit<Interference, 'last'> | null {
    if (this.#openings === null) return null;
    let worst: Omit<Interference, 'last'> | null = null;
    for (const opening of this.#openings) {
      if (opening === null || !accessesConflict(opening.between.op, kind)) continue;
      const pattern = patternOf(opening.first.op, opening.between.op, kind);
      if (worst === null || (severityOf(worst.pattern) !== 'error' && severityOf(pattern) === 'error'))
        worst = { pattern, ...opening };
    }
    return worst;
  }

  #opensAfterRead(kind: Op): boolean {
    return kind !== Op.read && this.#own[Op.read] !== null && !this.#openings?.[kind];
  }

  #opensAfterWrite(kind: Op): boolean {
    return this.#latestOwnWrite(kind) !== null && !this.#openings?.[KINDS.length + kind];
  }

  /** The latest write in the block, or update that an access of this kind does not commute with. */
  #latestOwnWrite(kind: Op): Access | null {
    const write = this.#own[Op.write];
    const update = accessesConflict(kind, Op.update) ? this.#own[Op.update] : null;
    if (write === null || update === null) return write ?? update;
    return write.fact.event > update.fact.event ? write : update;
  }
}
