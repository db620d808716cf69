import { types } from 'node:util';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { ADD, ALL, READ, UPDATE, WRITE } from '../core/history.ts';
import { SIZE } from '../core/object-record.ts';
import { GONE_THROUGH, OwnElements, type OwnRecord } from '../core/own-record.ts';
import { Steps } from '../core/steps.ts';
import { goOn, mayBeStale, note, noteChange } from './own-notes.ts';
import type { OwnStretches } from './own-stretches.ts';
import { MOST_COPIED } from './ranges.ts';
import { notePromise } from './touch.ts';

/** Elements further behind are logged at once. */
const MOST_ELEMENTS = 1 << 22;

/** Elements of one list may be accessed at so many places. */
const MOST_PLACES = 16;

/** Accesses to elements of arrays and of memory that are put off. */
export class OwnLists {
  readonly #stretches: OwnStretches;
  /** What was last looked up at each site: of what makes lists longer, takes from them, goes through them. */
  readonly #grown = new Steps();
  readonly #taken = new Steps();
  readonly #iterated = new Steps();

  constructor(stretches: OwnStretches) {
    this.#stretches = stretches;
  }

  reserve(sites: number): void {
    for (const steps of [this.#grown, this.#taken, this.#iterated]) steps.reserve(sites);
  }

  /** The elements that are known to be accessed so, this one included; null if the access is to be logged. */
  element(object: object, index: number, kind: number, site: number): OwnElements | null {
    const own = this.#stretches.ofList(object);
    if (own === null || (kind === ADD && mayBeStale(own, index))) return null;
    return noteElement(own, index, kind, site);
  }

  /** The same for memory, which several views may share: the element there, of so many bytes. */
  byte(buffer: object, at: number, size: number, kind: AccessKind, site: number): OwnElements | null {
    const own = this.#stretches.of(buffer);
    if (own === null || (own.elements === null && types.isSharedArrayBuffer(buffer))) return null;
    if (kind === Op.update && mayBeStale(own, at)) return null;
    return noteElement(own, at / size, kind === Op.update ? UPDATE : kind, site, size);
  }

  write(object: object, index: number, site: number, value: unknown): OwnElements | null {
    const own = this.#stretches.ofList(object);
    const array = object as readonly unknown[];
    if (own === null || ((value ?? null) === null && !Object.hasOwn(array, index))) return null;
    if (index >= array.length && (mayBeStale(own, SIZE) || !note(own, UPDATE, site, 'length'))) return null;
    const elements = noteElement(own, index, WRITE, site);
    if (elements !== null) notePromise(value);
    return elements;
  }

  /** Something is put at the end of a list, or at its begin. Whether the access need not be logged for now. */
  grow(array: readonly unknown[], site: number, isUsed: boolean): boolean {
    const own = this.#stretches.ofList(array);
    if (own === null) return false;
    if (goOn(own, this.#grown, site)) return true;
    const { history } = own;
    const isNoted = isUsed ? isTaken(own, site) : !mayBeStale(own, SIZE) && note(own, UPDATE, site, 'length');
    if (isNoted) this.#grown.note(site, history, own.history);
    return isNoted;
  }

  takeLast(array: readonly unknown[], site: number): boolean {
    const own = array.length === 0 ? null : this.#stretches.ofList(array);
    if (own === null) return false;
    const { history } = own;
    if (!goOn(own, this.#taken, site)) {
      if (!isTaken(own, site)) return false;
      this.#taken.note(site, history, own.history);
    }
    const last = array.length - 1;
    if (own.before !== null && own.before.find(last) !== null)
      return noteElement(own, last, WRITE, site) !== null;
    for (let known = own.elements; known !== null; known = known.next)
      if (known.has(last)) return noteElement(own, last, WRITE, site) !== null;
    return true;
  }

  /** The length of a list, and all of its elements. */
  iterate(array: readonly unknown[], site: number, most = Number.POSITIVE_INFINITY): boolean {
    const own = this.#stretches.ofList(array);
    if (own === null) return false;
    const count = Math.min(array.length, most);
    if (count > MOST_COPIED && count < array.length) return false;
    if (count > MOST_COPIED && goOn(own, this.#iterated, site)) {
      own.is |= GONE_THROUGH;
      return true;
    }
    const { history } = own;
    if (!note(own, count > MOST_COPIED ? ALL : READ, site, 'length')) return false;
    own.is |= GONE_THROUGH;
    if (count > MOST_COPIED) this.#iterated.note(site, history, own.history);
    else for (let i = 0; i < count; i++) if (noteElement(own, i, READ, site) === null) return false;
    return true;
  }
}

/** The length is read, and changed. */
function isTaken(own: OwnRecord, site: number): boolean {
  return note(own, READ, site, 'length') && noteChange(own, site, 'length');
}

function noteElement(
  own: OwnRecord,
  index: number,
  kind: number,
  site: number,
  size = 0,
): OwnElements | null {
  if (index >= MOST_ELEMENTS) return null;
  for (let known = own.elements; known !== null; known = known.next)
    if (known.site === site && known.kind === kind && known.size === size) {
      known.add(index);
      return known;
    }
  if (own.elements !== null && own.elements.count === MOST_PLACES) return null;
  own.elements = new OwnElements(site, kind, size, index, own.elements);
  return own.elements;
}
