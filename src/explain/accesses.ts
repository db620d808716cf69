import { accessKind, Op } from '../trace/operation.ts';
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
  fact: EventFact;
  /** How its thread was reached; null in the block itself. */
  reach: Reach | null;
}

/** How many conflicts lead to an access; 0 in the block itself. */
export function hopsTo({ reach }: Access): number {
  return reach === null ? 0 : reach.hops;
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
  /* The last access of each kind in the block. These are overwritten: whoever keeps one copies it. */
  #ownRead: EventFact | null = null;
  #ownWrite: EventFact | null = null;
  #ownUpdate: EventFact | null = null;
  #hasOwn = false;
  /** The access of each kind by others with the fewest hops; null while there are none, as of most. */
  #others: (Access | null)[] | null = null;
  #openings: (Opening | null)[] | null = null;

  get hasOwn(): boolean {
    return this.#hasOwn;
  }

  /** Where the block's last access of this kind is remembered, to be overwritten; null until there is one. */
  own(kind: Op): EventFact | null {
    if (kind === Op.read) return this.#ownRead;
    return kind === Op.write ? this.#ownWrite : this.#ownUpdate;
  }

  setOwn(kind: Op, fact: EventFact): void {
    this.#hasOwn = true;
    if (kind === Op.read) this.#ownRead = fact;
    else if (kind === Op.write) this.#ownWrite = fact;
    else this.#ownUpdate = fact;
  }

  /** The block has written: what it had read before that counts no longer, nor what came between, as it is its own value that is there now. */
  settle(): void {
    this.#ownRead = null;
    this.#openings?.fill(null);
  }

  /** Whether an access with so many hops is news. */
  isCloser(kind: Op, hops: number): boolean {
    const known = this.#others?.[kind] ?? null;
    return known === null || hops < hopsTo(known);
  }

  setOther(kind: Op, access: Access): void {
    this.#others ??= [null, null, null];
    this.#others[kind] = access;
  }

  /** The access by others that conflicts with one of this kind and has the fewest hops. */
  nearestOther(kind: Op): Access | null {
    if (this.#others === null) return null;
    let nearest: Access | null = null;
    for (let other = 0; other < KINDS.length; other++) {
      const access = this.#others[other];
      if (access === null || !accessesConflict(kind, KINDS[other])) continue;
      if (nearest === null || hopsTo(access) < hopsTo(nearest)) nearest = access;
    }
    return nearest;
  }

  /** The latest access in the block that conflicts with one of this kind. */
  latestOwn(kind: Op): Access | null {
    let latest: EventFact | null = null;
    for (const own of KINDS) {
      const fact = this.own(own);
      if (fact === null || !accessesConflict(kind, own)) continue;
      if (latest === null || fact.event > latest.event) latest = fact;
    }
    return latest === null ? null : { fact: latest, reach: null };
  }

  /** Whether an access of this kind by another thread is the first to come after one it conflicts with. */
  isOpening(kind: Op): boolean {
    return this.#hasOwn && (this.#openingRead(kind) !== null || this.#openingWrite(kind) !== null);
  }

  /** Another thread's access, for which `isOpening` holds. */
  open(between: EventFact): void {
    const kind = accessKind(between.op);
    const read = this.#openingRead(kind);
    const write = this.#openingWrite(kind);
    this.#openings ??= new Array(2 * KINDS.length).fill(null);
    if (read !== null) this.#openings[kind] = { first: { ...read }, between };
    if (write !== null) this.#openings[KINDS.length + kind] = { first: { ...write }, between };
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

  /** The block's read after which this would be the first such access; null if there is none, or was one. */
  #openingRead(kind: Op): EventFact | null {
    return kind === Op.read || this.#openings?.[kind] ? null : this.#ownRead;
  }

  /** The same for the block's latest write, or update that an access of this kind does not commute with. */
  #openingWrite(kind: Op): EventFact | null {
    if (this.#openings?.[KINDS.length + kind]) return null;
    const write = this.#ownWrite;
    const update = accessesConflict(kind, Op.update) ? this.#ownUpdate : null;
    if (write === null || update === null) return write ?? update;
    return write.event > update.event ? write : update;
  }
}
