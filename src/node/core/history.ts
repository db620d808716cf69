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

/**
 * What an epoch has done to an object, each access once. Objects to which the same was done in the same order share one, as
 * objects of the same shape do in the engine: so it takes a reference to remember what was done to one that lives for a moment.
 */
export class History {
  readonly before: History | null;
  readonly kind: number;
  readonly site: number;
  readonly key: unknown;
  readonly #length: number;
  /** The last access that was looked up, and what came of it. */
  #lastPlace = -1;
  #lastAfter: History | null = null;
  /** This one for an access that adds nothing; null for one that cannot be put off. */
  #after: Map<number, History | null> | null = null;
  /** The empty one that it came from, and how many have come from that. */
  readonly #root: History;
  #count = 0;

  constructor(before: History | null = null, kind = READ, site = 0, key: unknown = undefined) {
    this.before = before;
    this.kind = kind;
    this.site = site;
    this.key = key;
    this.#length = before === null ? 0 : before.#length + 1;
    this.#root = before === null ? this : before.#root;
  }

  /**
   * With one more access; null if what is known of that depends on more than this. A site has always the same key, or several
   * that are numbered.
   */
  after(kind: number, site: number, key: unknown, number = 0): History | null {
    const place = number * NAME + PLACE * site + kind;
    if (this.#lastPlace === place) return this.#lastAfter;
    let after = this.#after?.get(place);
    if (after === undefined) {
      after = this.#find(kind, site, key);
      this.#after ??= new Map();
      this.#after.set(place, after);
    }
    this.#lastPlace = place;
    this.#lastAfter = after;
    return after;
  }

  #find(kind: number, site: number, key: unknown): History | null {
    let places = 0;
    let isChanged = false;
    let isIdle = false;
    let isRead = false;
    for (let access: History = this; access.before !== null; access = access.before) {
      isRead ||= access.kind === ALL;
      if (access.key !== key) continue;
      if (access.kind === kind && access.site === site) return this;
      places++;
      isIdle ||= access.kind === IDLE;
      isChanged ||= access.kind !== READ && access.kind !== IDLE;
    }
    if (kind !== ALL) {
      if (isChanged && kind !== WRITE && isWrite(kind)) return this.after(WRITE, site, key);
      if (places >= MOST_PLACES && (kind === READ || isChanged)) return this;
      // Whether it leaves the value as it was, or makes a property, only the object can tell.
      const isKnown = places > 0 || isRead;
      if (isKnown && !isChanged && (kind === IDLE || kind === EMPTY || (kind === WRITE && !isIdle)))
        return null;
      if (isRead && !isChanged && kind === FILL) return null;
    }
    if (this.#length === LONGEST || this.#root.#count >= MOST_HISTORIES) return null;
    this.#root.#count++;
    return new History(this, kind, site, key);
  }

  /** The accesses, oldest first. */
  accesses(): History[] {
    const all: History[] = [];
    for (let access: History = this; access.before !== null; access = access.before) all.push(access);
    return all.reverse();
  }
}

/** A write that is no update. */
export function isWrite(kind: number): boolean {
  return kind >= WRITE && kind <= FILL;
}
