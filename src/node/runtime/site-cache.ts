import type { OwnElements } from '../core/own-record.ts';
import type { Counted } from './counted.ts';

/** In place of no object: V8 compares objects with objects much faster than with anything else. */
const NOTHING = {};

/** Elements further behind are not remembered. */
const MOST = 1 << 22;

/**
 * The object that was touched last at each site in this epoch: a loop that goes on in one task touches the same ones again and
 * again, and an access that adds nothing costs one comparison.
 */
export class SiteCache {
  readonly object: unknown[] = [];
  /** The property, where a site may have another one each time. */
  readonly key: unknown[] = [];
  /** Of elements of an array: which are known, from the first on and before the last. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Where those are put off; null where they are not. */
  readonly elements: (OwnElements | null)[] = [];
  /** The list that has come once in the place of the one that is noted. */
  readonly next: unknown[] = [];
  /** How often something was added; null if that is put off. */
  readonly counted: (Counted | null)[] = [];
  /** Of a view: how many elements are in front of it in its memory, and how many it has. */
  readonly offset: number[] = [];
  readonly length: number[] = [];
  /** Which sites have something; the others of them have nothing but an object. */
  readonly #touched: number[] = [];
  #count = 0;
  readonly #plain: number[] = [];
  #plainCount = 0;
  #isTouched = false;

  reserve(sites: number): void {
    while (this.object.length < sites) {
      this.object.push(NOTHING);
      this.key.push(undefined);
      this.from.push(0);
      this.to.push(0);
      this.elements.push(null);
      this.counted.push(null);
      this.next.push(NOTHING);
      this.offset.push(0);
      this.length.push(0);
    }
  }

  /** The same where there is nothing else to be known. */
  noteObject(site: number, object: unknown): void {
    const { object: objects } = this;
    if (!(site < objects.length)) return;
    if (objects[site] === NOTHING) {
      this.#plain[this.#plainCount++] = site;
      this.#isTouched = true;
    }
    objects[site] = object;
  }

  note(site: number, object: unknown, key?: unknown): void {
    // A module that has not begun has no numbers for its sites.
    if (!(site < this.object.length)) return;
    if (this.object[site] === NOTHING) {
      this.#touched[this.#count++] = site;
      this.#isTouched = true;
    }
    this.object[site] = object;
    this.key[site] = key;
    this.elements[site] = null;
    this.to[site] = 0;
  }

  /** Something was updated, in one of the ways in which that is told apart. */
  noteUpdate(site: number, object: unknown, key: unknown, kind: number, counted: Counted | null): void {
    if (!(site < this.object.length)) return;
    this.note(site, object, key);
    this.from[site] = kind;
    this.counted[site] = counted;
  }

  /** An element was touched, and that was put off; `length`: how many there can be. */
  noteElements(
    site: number,
    list: unknown,
    elements: OwnElements,
    offset = 0,
    length = MOST,
    key?: unknown,
  ): void {
    const { object, next } = this;
    if (!(site < object.length)) return;
    // Loops over columns come to another list each time, which is not worth noting.
    if (object[site] !== list && object[site] !== NOTHING && next[site] !== list) {
      next[site] = list;
      return;
    }
    this.note(site, list, key);
    this.elements[site] = elements;
    this.offset[site] = offset;
    this.length[site] = length;
    this.from[site] = 0;
  }

  /**
   * An element of a list was touched; loops touch one after the other. `isKnown`: whether what is known of the list still is. `key`: what
   * else is to be known of it.
   */
  noteElement(site: number, list: unknown, index: number, isKnown: boolean, key?: unknown): void {
    const isNext = isKnown && this.object[site] === list;
    if (isNext && this.to[site] === index) {
      this.to[site]++;
    } else if (isNext && this.from[site] === index + 1) {
      this.from[site]--;
    } else {
      this.note(site, list, key);
      this.from[site] = index;
      this.to[site] = index + 1;
    }
  }

  clear(): void {
    if (this.#isTouched) this.#forget();
  }

  #forget(): void {
    const { object, key, elements, counted, next } = this;
    for (let i = 0; i < this.#count; i++) {
      const site = this.#touched[i];
      object[site] = NOTHING;
      key[site] = undefined;
      elements[site] = null;
      counted[site] = null;
      next[site] = NOTHING;
    }
    for (let i = 0; i < this.#plainCount; i++) object[this.#plain[i]] = NOTHING;
    // The lists keep their room: to make them shorter takes longer than the rest.
    this.#count = 0;
    this.#plainCount = 0;
    this.#isTouched = false;
  }
}
