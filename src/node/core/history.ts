/*
 * What can be done to a property: kinds of access, as far as they have to be told apart later.
 */
export const READ = 0;
export const WRITE = 1;
/** A write of nothing where nothing is, as constructors do; and where something may be. */
export const IDLE = 2;
export const EMPTY = 3;
/** The first write after somebody has looked: of another value than there is, or where nothing is. */
export const FIRST = 4;
export const FILL = 5;
/** Updates: by 1, by -1, by another number, or by something else. */
export const UP = 6;
export const DOWN = 7;
export const ADD = 8;
export const UPDATE = 9;
/** All properties were read, or all elements. */
export const ALL = 10;
/** A write that leaves the value as it was, after somebody has looked. */
export const SAME = 11;

/** Makes room for a kind beside the number of a site. */
const PLACE = 16;
/** The same for the number of a name, where a site has several. */
const NAME = 2 ** 32;

/** Of so many different accesses at most: then the object is better off with a record. */
const LONGEST = 32;

/** So many places of one property count in an epoch (`VariableRecord`). */
const MOST_PLACES = 8;

/** So many are remembered in all. */
const MOST_HISTORIES = 20_000;

/** Of so many sites that follow each other the accesses are found at once. */
const SLOTS = 32;
const NO_PLACES: number[] = new Array(SLOTS).fill(-1);
const NO_HISTORIES: (History | null)[] = new Array(SLOTS).fill(null);

/** In which order accesses are put: it does not matter to anybody whether an epoch read before it wrote, but for these. */
const ORDER = [IDLE, READ, SAME, FILL, FIRST, EMPTY, WRITE, UP, DOWN, ADD, UPDATE, ALL];

/** Kinds that leave things as they are. */
const LEAVING: ReadonlySet<number> = new Set([READ, IDLE, SAME]);

export interface OwnAccess {
  readonly kind: number;
  readonly site: number;
  readonly key: unknown;
  /** Tells it from all others. */
  readonly place: number;
}

/**
 * What an epoch has done to an object, each access once. Objects to which the same was done share one, much as objects of
 * the same shape do in the engine: so it takes a reference to remember what was done to one that lives for a moment.
 */
export class History {
  readonly accesses: readonly OwnAccess[];
  /** All histories by their places. */
  readonly #all: Map<string, History>;
  /** The last accesses that were looked up, each in the slot of its site, and what came of them. */
  #places: number[] = NO_PLACES;
  #afters: (History | null)[] = NO_HISTORIES;
  /** This one for an access that adds nothing; null for one that cannot be put off. */
  #after: Map<number, History | null> | null = null;

  constructor(accesses: readonly OwnAccess[] = [], all = new Map<string, History>()) {
    this.accesses = accesses;
    this.#all = all;
  }

  /**
   * With one more access; null if what is known of that depends on more than this. A site has always the same key, or several
   * that are numbered.
   */
  after(kind: number, site: number, key: unknown, number = 0): History | null {
    const place = number * NAME + PLACE * site + kind;
    const slot = site & (SLOTS - 1);
    if (this.#places[slot] === place) return this.#afters[slot];
    let after = this.#after?.get(place);
    if (after === undefined) {
      after = this.#find({ kind, site, key, place }, number);
      if (this.#after === null) {
        this.#after = new Map();
        this.#places = NO_PLACES.slice();
        this.#afters = NO_HISTORIES.slice();
      }
      this.#after.set(place, after);
    }
    this.#places[slot] = place;
    this.#afters[slot] = after;
    return after;
  }

  /** The same of a read at a site that has one key, if it was looked up lately. */
  afterRead(site: number): History | null {
    const slot = site & (SLOTS - 1);
    return this.#places[slot] === PLACE * site + READ ? this.#afters[slot] : null;
  }

  #find(access: OwnAccess, number: number): History | null {
    const { kind, site, key } = access;
    const same = this.accesses.filter((other) => other.key === key);
    if (same.some((other) => other.kind === kind && other.site === site)) return this;
    const isChanged = same.some((other) => !LEAVING.has(other.kind));
    const isRead = this.accesses.some((other) => other.kind === ALL);
    if (kind !== ALL) {
      if (isChanged && kind !== WRITE && isWrite(kind)) return this.after(WRITE, site, key, number);
      if (same.length >= MOST_PLACES && (kind === READ || isChanged)) return this;
      // Whether it leaves the value as it was, or makes a property, only the object can tell.
      const isIdle = same.some((other) => other.kind === IDLE);
      const isUncertain = kind === IDLE || kind === EMPTY || (kind === WRITE && !isIdle);
      if ((same.length > 0 || isRead) && !isChanged && isUncertain) return null;
      if (isRead && !isChanged && kind === FILL) return null;
    }
    return this.accesses.length === LONGEST ? null : this.#with(access);
  }

  #with(access: OwnAccess): History | null {
    const accesses = [...this.accesses, access].sort(
      (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.place - b.place,
    );
    const name = accesses.map(({ place }) => place).join();
    const known = this.#all.get(name);
    if (known !== undefined || this.#all.size >= MOST_HISTORIES) return known ?? null;
    const history = new History(accesses, this.#all);
    this.#all.set(name, history);
    return history;
  }
}

/** Of an update by so much. */
export function kindOfUpdate(by: number): number {
  return by === 1 ? UP : by === -1 ? DOWN : ADD;
}

/** A write that is no update. */
export function isWrite(kind: number): boolean {
  return (kind >= WRITE && kind <= FILL) || kind === SAME;
}
