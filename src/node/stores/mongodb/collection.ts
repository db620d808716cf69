import type { Caller } from '../model/ledger.ts';
import type { Document } from './documents.ts';

/** So many fields of a collection are told apart. */
const MOST_FIELDS = 200;

/** So many looks are remembered, for fields that documents may still get. */
const MOST_LOOKS = 100;

/** A document that was found. */
export interface Look {
  readonly caller: Caller;
  readonly document: Document;
  /** Whether the program has this very one. */
  readonly isGiven: boolean;
}

/** What is known of a collection, as documents have no columns that anybody has declared. */
export class Collection {
  readonly name: string;
  readonly fields = new Set<string>();
  #looks: Look[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Whether nobody has heard of it before. */
  note(field: string): boolean {
    if (field === '_id' || this.fields.has(field) || this.fields.size >= MOST_FIELDS) return false;
    this.fields.add(field);
    return true;
  }

  noteLook(look: Look): void {
    if (this.#looks.length >= MOST_LOOKS) this.#looks = this.#looks.slice(MOST_LOOKS / 2);
    this.#looks.push(look);
  }

  get looks(): readonly Look[] {
    return this.#looks;
  }
}
