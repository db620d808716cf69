import { Op } from '../../trace/operation.ts';
import { EMPTY, type Locksets } from '../shared/locksets.ts';

/* The roles of an access in its unit. */
/** A read that no write of the unit comes before: it sees what others wrote. */
export const INITIAL_READ = 1;
/** A write or an update. */
export const CHANGE = 2;
/** The unit's last change of the variable: who reads later sees it. */
export const LAST_CHANGE = 4;
/** The unit's last write of the variable, which hides all changes before it. */
export const LAST_WRITE = 8;
/** An update in a unit that does not write the variable, so that it adds to what others wrote. */
export const LONE_UPDATE = 16;

/* In the order in which they are tried: updates that get lost before reads that differ. */
const BEFORE_OTHERS = [INITIAL_READ, CHANGE, LAST_WRITE];
const AFTER_OTHERS = [LAST_CHANGE, LAST_WRITE, INITIAL_READ];

/** The two integers of each element of a sequence: an operation with its operand, or this and a period. */
export const PERIOD = Op.begin;

/** A lock that is held from one element to another. */
interface Section {
  lock: number;
  from: number;
  to: number;
}

/** A unit with this shape: where it is in the order of forks and joins, and by which number it is known. */
export interface Instance {
  period: number;
  unit: number;
}

/**
 * Two accesses of a unit and what another does between them: `entered` comes after `first`, and `left` before
 * `last`. They may be one access; otherwise either may be first in the other unit.
 */
export interface Pattern {
  first: number;
  entered: number;
  left: number;
  last: number;
}

/** The label of what happens outside blocks. */
export const NO_LABEL = -1;

/**
 * What units of one label have in common that do the same: their accesses of variables on which threads
 * communicate, and the lock operations between the first and the last of these.
 */
export class Shape {
  readonly label: number;
  /* Per access. */
  readonly variable: number[] = [];
  readonly kind: number[] = [];
  readonly roles: number[] = [];
  /** For a read: the unit's write before it; and if there is none, its first update before it; else -1. */
  readonly ownWrite: number[] = [];
  readonly ownUpdate: number[] = [];
  /** The period, where the accesses of the unit are in several; else -1. Then there is one instance only. */
  readonly period: number[] = [];
  /* Per variable. */
  readonly byVariable = new Map<number, number[]>();
  /**
   * The first access with each role that matters where another unit comes after it, and the last with each that
   * matters where another comes before it. The more is between two accesses, the fewer locks are held all the
   * time, so that what is impossible for these is impossible for all.
   */
  readonly firsts = new Map<number, number[]>();
  readonly lasts = new Map<number, number[]>();
  readonly instances: Instance[] = [];

  readonly #locksets: Locksets;
  readonly #sections: Section[] = [];
  /** Per access: the element it is, the locks held, and how many were acquired and released before it. */
  readonly #element: number[] = [];
  readonly #held: number[] = [];
  readonly #acquired: number[] = [];
  readonly #released: number[] = [];
  #work = 0;
  readonly #told = new Set<number>();
  readonly #throughout = new Map<number, number>();
  readonly #within = new Map<number, number>();

  /** `cells`: the label, the locks held at first, and the elements. */
  constructor(cells: ArrayLike<number>, locksets: Locksets) {
    this.#locksets = locksets;
    this.label = cells[0];
    this.#readElements(cells);
    for (const [variable, accesses] of this.byVariable) {
      this.#assignRoles(accesses);
      this.firsts.set(variable, this.#firstOfEach(BEFORE_OTHERS, accesses));
      this.lasts.set(variable, this.#firstOfEach(AFTER_OTHERS, accesses.toReversed()));
    }
  }

  get length(): number {
    return this.variable.length;
  }

  get isInSeveralPeriods(): boolean {
    return this.period[0] >= 0;
  }

  /** Whether no like pattern was asked about before: the same two accesses, and the same operations between. */
  isNew({ first, entered, left, last }: Pattern, other: Shape): boolean {
    const between = other.kind[entered] * 4 + other.kind[left];
    const size = this.#told.size;
    return this.#told.add((first * this.length + last) * 16 + between).size > size;
  }

  /** The locks held all the time from one access to a later one. */
  locksThroughout(first: number, last: number): number {
    if (this.#released[first] === this.#released[last]) return this.#held[first];
    const key = first * this.length + last;
    let locks = this.#throughout.get(key);
    if (locks === undefined) {
      locks = this.#locks(this.#element[last], this.#element[first]);
      this.#throughout.set(key, locks);
    }
    return locks;
  }

  /** The locks held at some time from one access to the same or a later one. */
  locksWithin(first: number, last: number): number {
    if (this.#acquired[first] === this.#acquired[last]) return this.#held[first];
    const key = first * this.length + last;
    let locks = this.#within.get(key);
    if (locks === undefined) {
      locks = this.#locks(this.#element[first], this.#element[last]);
      this.#within.set(key, locks);
    }
    return locks;
  }

  /** How many sections were looked at since the last call. */
  takeWork(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }

  /** The locks that are released after one element and acquired before another. */
  #locks(after: number, before: number): number {
    let locks = EMPTY;
    this.#work += this.#sections.length;
    for (const { lock, from, to } of this.#sections)
      if (to > after && from < before) locks = this.#locksets.with(locks, lock);
    return locks;
  }

  #readElements(cells: ArrayLike<number>): void {
    const open = new OpenSections(this.#locksets);
    for (const lock of this.#locksets.locksOf(cells[1]).reverse())
      this.#sections.push(open.acquire(lock, 0, cells.length));
    let period = -1;
    let acquired = 0;
    let released = 0;
    for (let element = 2; element < cells.length; element += 2) {
      const operand = cells[element + 1];
      switch (cells[element]) {
        case PERIOD:
          period = operand;
          break;
        case Op.acquire:
          this.#sections.push(open.acquire(operand, element, cells.length));
          acquired++;
          break;
        case Op.release:
          open.release(operand, element);
          released++;
          break;
        default:
          this.#readAccess(cells[element], operand, element, period);
          this.#held.push(open.held());
          this.#acquired.push(acquired);
          this.#released.push(released);
      }
    }
  }

  #readAccess(kind: number, variable: number, element: number, period: number): void {
    const access = this.length;
    this.variable.push(variable);
    this.kind.push(kind);
    this.roles.push(0);
    this.ownWrite.push(-1);
    this.ownUpdate.push(-1);
    this.period.push(period);
    this.#element.push(element);
    const accesses = this.byVariable.get(variable);
    if (accesses === undefined) this.byVariable.set(variable, [access]);
    else accesses.push(access);
  }

  #firstOfEach(roles: readonly number[], accesses: readonly number[]): number[] {
    const found = roles.map((role) => accesses.find((access) => (this.roles[access] & role) !== 0));
    return [...new Set(found)].filter((access) => access !== undefined);
  }

  /** `accesses`: those of one variable, in their order. */
  #assignRoles(accesses: readonly number[]): void {
    let write = -1;
    let update = -1;
    let change = -1;
    for (const access of accesses) {
      if (this.kind[access] === Op.read) {
        if (write < 0) this.roles[access] |= INITIAL_READ;
        this.ownWrite[access] = write;
        this.ownUpdate[access] = write < 0 ? update : -1;
      } else {
        this.roles[access] |= CHANGE;
        change = access;
        if (this.kind[access] === Op.write) write = access;
        else if (update < 0) update = access;
      }
    }
    if (change >= 0) this.roles[change] |= LAST_CHANGE;
    if (write >= 0) this.roles[write] |= LAST_WRITE;
    else
      for (const access of accesses) if (this.kind[access] === Op.update) this.roles[access] |= LONE_UPDATE;
  }
}

/** The locks that are held while the elements are gone through, in the order in which they were acquired. */
class OpenSections {
  readonly #locksets: Locksets;
  readonly #sections: Section[] = [];
  /** The set of each section's lock and those before it, as far as they are known. */
  readonly #sets: number[] = [];

  constructor(locksets: Locksets) {
    this.#locksets = locksets;
  }

  acquire(lock: number, from: number, to: number): Section {
    const section = { lock, from, to };
    this.#sections.push(section);
    return section;
  }

  release(lock: number, to: number): void {
    const at = this.#sections.findLastIndex((section) => section.lock === lock);
    this.#sections.splice(at, 1)[0].to = to;
    if (this.#sets.length > at) this.#sets.length = at;
  }

  held(): number {
    for (let at = this.#sets.length; at < this.#sections.length; at++)
      this.#sets.push(this.#locksets.with(this.#sets[at - 1] ?? EMPTY, this.#sections[at].lock));
    return this.#sets.at(-1) ?? EMPTY;
  }
}
