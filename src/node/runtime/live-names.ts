import { NameTable } from '../../trace/name-table.ts';
import type { NamesById, NameTables } from '../../trace/names.ts';

const utf8 = new TextEncoder();

/**
 * Names whose ids are used again: a program that runs for weeks has had any number of tasks and variables, and few at
 * a time. Whoever adds a name knows that it is another one than all before.
 */
export class LiveNames implements NamesById {
  readonly areTexts = true;
  readonly #texts: string[] = [];
  /** Ids that were given back, oldest first from `#nextFree` on, and at which event. */
  #free: number[] = [];
  #freeSince: number[] = [];
  #nextFree = 0;

  get size(): number {
    return this.#texts.length;
  }

  /** An id for the name; none that was given back at `usedSince` or later. */
  add(text: string, usedSince: number): number {
    const next = this.#nextFree;
    if (next === this.#free.length || this.#freeSince[next] >= usedSince) return this.#texts.push(text) - 1;
    const id = this.#free[next];
    this.#nextFree++;
    this.#texts[id] = text;
    if (this.#nextFree >= 1024 && 2 * this.#nextFree > this.#free.length) this.#shorten();
    return id;
  }

  /** The id may be given to another name after some time; until then it means what it meant. */
  giveBack(id: number, event: number): void {
    this.#free.push(id);
    this.#freeSince.push(event);
  }

  text(id: number): string {
    return this.#texts[id];
  }

  bytes(id: number): Uint8Array {
    return utf8.encode(this.#texts[id]);
  }

  byteLength(id: number): number {
    const text = this.#texts[id];
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
    return text.length;
  }

  #shorten(): void {
    this.#free = this.#free.slice(this.#nextFree);
    this.#freeSince = this.#freeSince.slice(this.#nextFree);
    this.#nextFree = 0;
  }
}

/** Names of locks, which are kept, and of messages, which come and go. */
export class LockNames extends LiveNames {
  readonly #ids = new Map<string, number>();

  /** The id of a lock, or of anything else that is kept: the same for the same name. */
  internText(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.add(text, Number.NEGATIVE_INFINITY);
      this.#ids.set(text, id);
    }
    return id;
  }
}

/** The names of a trace that a running program makes. */
export class RunningNames implements NameTables {
  readonly threads = new LiveNames();
  readonly variables = new LiveNames();
  readonly locks = new LockNames();
  readonly labels = new NameTable();
  readonly locations = new NameTable();
}
