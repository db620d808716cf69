import { types } from 'node:util';
import { ALL, EMPTY, type History, IDLE, kindOfUpdate, READ, SAME, UP, WRITE } from '../core/history.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { type OwnRecord, TAKES_KEYS } from '../core/own-record.ts';
import { Steps } from '../core/steps.ts';
import type { TakenKey } from '../probes.ts';
import { OwnLists } from './own-lists.ts';
import {
  goOn,
  isMissing,
  kindOfFirst,
  mayBeStale,
  NEW,
  READ_ONLY,
  stateBefore,
  UNCERTAIN,
} from './own-notes.ts';
import { OwnStretches } from './own-stretches.ts';
import type { Recorder } from './recorder.ts';
import { knownWhereRead, putOffOf } from './stamp.ts';
import type { Tasks } from './tasks.ts';
import { notePromise } from './touch.ts';

/*
 * What a task does to objects that nobody else has touched, put off until somebody comes: "Own objects" in
 * docs/explanation/javascript-internals.md.
 */

/** So many keys are known that are not written down in the program. */
const MOST_KEYS = 10_000;

export class OwnObjects {
  readonly lists: OwnLists;
  readonly #tasks: Tasks;
  readonly #stretches: OwnStretches;
  /** The key of each site; those of sites that have several are numbered. */
  readonly #keys: string[] = [];
  readonly #numbers = new Map<string, number>();
  /**
   * What was last looked up at each site: reads, those by several keys, patterns, writes of something and of nothing, updates by
   * their kinds, reads of all properties.
   */
  readonly #reads = new Steps();
  readonly #keyed = new Steps();
  readonly #taken = new Steps();
  readonly #writes = new Steps();
  readonly #idle = new Steps();
  readonly #updates = [new Steps(), new Steps(), new Steps()];
  readonly #all = new Steps();

  constructor(recorder: Recorder, from?: number) {
    this.#tasks = recorder.tasks;
    this.#stretches = new OwnStretches(recorder, from);
    this.lists = new OwnLists(this.#stretches);
  }

  /** Whether anything can be put off now. */
  get isOn(): boolean {
    return this.#stretches.isOn;
  }

  reserve(sites: number): void {
    const all = [
      this.#reads,
      this.#keyed,
      this.#taken,
      this.#writes,
      this.#idle,
      ...this.#updates,
      this.#all,
    ];
    for (const steps of all) steps.reserve(sites);
    this.lists.reserve(sites);
  }

  // ---- Properties ----------------------------------------------------------------------------------------------

  /** Whether the access need not be logged for now. A site has always the same key. */
  read(object: object, key: string, site: number): boolean {
    if (!this.isOn) return false;
    const known = knownWhereRead(object);
    let own = known === undefined ? null : known.own;
    if (own === null || !this.#stretches.isPresent(own)) own = this.#stretches.begun(object, known);
    if (own === null) return false;
    const { history } = own;
    const to = history === this.#reads.from[site] ? this.#reads.to[site] : history.afterRead(site);
    if (to === null) return this.#note(own, READ, site, key, this.#reads);
    // What is there for the first time mostly does not come again, and takes long to note while it is new.
    if (to === history) this.#tasks.reads.noteObject(site, object);
    else own.history = to;
    return true;
  }

  /** The same where a site may have several keys. */
  readKeyed(object: object, key: string, site: number): boolean {
    const own = this.#stretches.of(object);
    if (own === null) return false;
    const steps = this.#keyed;
    return (steps.key[site] === key && goOn(own, steps, site)) || this.#note(own, READ, site, key, steps);
  }

  /** The same; undefined if the next one at the same place may be another one. */
  write(object: object, key: string, site: number, value: unknown): boolean | undefined {
    const own = this.#stretches.of(object);
    if (own === null) return false;
    const isNothing = value === null || value === undefined;
    const steps = isNothing ? this.#idle : this.#writes;
    if ((own.is & TAKES_KEYS) !== 0 && steps.key[site] === key) {
      if (!isNothing) {
        if (goOn(own, steps, site)) {
          notePromise(value);
          return undefined;
        }
      } else if (own.before === null && isMissing(object, key) && goOn(own, steps, site)) return undefined;
    }
    const { history } = own;
    if (!isNothing && (own.is & TAKES_KEYS) !== 0 && this.#after(own, WRITE, site, key) === history) {
      steps.note(site, history, history, key);
      return isNoted(value);
    }
    const before = own.before === null ? NEW : stateBefore(own.before, object, key);
    if (before === UNCERTAIN) return false;
    own.is |= TAKES_KEYS;
    let kind = WRITE;
    if (isNothing) kind = before === NEW && isMissing(object, key) ? IDLE : EMPTY;
    if (before === READ_ONLY || !this.#note(own, kind, site, key, kind === EMPTY ? null : steps)) {
      const first = kindOfFirst(object, key, value);
      if (first === null || !this.#note(own, first, site, key, null)) return false;
      // What comes after a change here is no news, whatever it is.
      if (own.history === history && first !== SAME && !isNothing) steps.note(site, history, history, key);
      kind = first;
    }
    return kind === IDLE || kind === SAME ? undefined : isNoted(value);
  }

  /** Whether what an update of this kind adds is known at once. */
  updatesAgain(object: object, key: unknown, site: number, kind: number): boolean {
    const own = this.isOn ? putOffOf(object) : null;
    const steps = this.#updates[kind - UP];
    if (own === null || steps.key[site] !== key || !this.#stretches.isPresent(own)) return false;
    const { history } = own;
    if (!goOn(own, steps, site)) return false;
    if (own.history === history) this.#tasks.writes.noteUpdate(site, object, key, kind, null);
    return true;
  }

  update(object: object, key: string, site: number, by: number): boolean {
    const own = this.#stretches.of(object);
    return own !== null && this.#update(own, key, site, by);
  }

  #update(own: OwnRecord, key: string, site: number, by: number): boolean {
    const kind = kindOfUpdate(by);
    const { history } = own;
    if (!this.#note(own, kind, site, key, this.#updates[kind - UP])) return false;
    if (own.history === history || !mayBeStale(own, key)) return true;
    own.history = history;
    return false;
  }

  /** Notes an access, and what that makes of the history, for the next one. */
  #note(own: OwnRecord, kind: number, site: number, key: string, steps: Steps | null): boolean {
    const { history } = own;
    const after = this.#after(own, kind, site, key);
    if (after === null) return false;
    own.history = after;
    steps?.note(site, history, after, key);
    return true;
  }

  #after({ history }: OwnRecord, kind: number, site: number, key: string): History | null {
    const number = this.#keys[site] === key ? 0 : this.#numberOf(site, key);
    return number < 0 ? null : history.after(kind, site, key, number);
  }

  /** 0 for the first key of a site. */
  #numberOf(site: number, key: string): number {
    if (this.#keys[site] === undefined) {
      this.#keys[site] = key;
      return 0;
    }
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      if (number > MOST_KEYS) return -1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** What a pattern takes; only names by themselves. */
  take(object: object, keys: readonly TakenKey[], site: number): boolean {
    const own = this.#stretches.of(object);
    if (own === null) return false;
    if (goOn(own, this.#taken, site)) return true;
    const { history } = own;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (typeof key !== 'string') return false;
      const after = own.history.after(READ, site, key, i);
      if (after === null) return false;
      own.history = after;
    }
    this.#taken.note(site, history, own.history);
    return true;
  }

  /** All properties of an object that is none of the containers. */
  enumerate(object: object, site: number): boolean {
    if (Array.isArray(object)) return false;
    const own = types.isProxy(object) ? null : this.#stretches.of(object);
    if (own === null) return false;
    if (goOn(own, this.#all, site)) return true;
    const { history } = own;
    const after = history.after(ALL, site, undefined);
    if (after === null) return false;
    own.history = after;
    this.#all.note(site, history, after);
    return true;
  }

  /** What is put off of an object that has no entries or elements. */
  plain(object: object): OwnRecord | null {
    return this.#stretches.ofPlain(object);
  }

  // ---- Bindings of a scope -------------------------------------------------------------------------------------

  readBinding(scope: ObjectRecord, name: string, site: number): boolean {
    const own = this.#stretches.ofScope(scope);
    return own !== null && (goOn(own, this.#reads, site) || this.#note(own, READ, site, name, this.#reads));
  }

  updateBinding(scope: ObjectRecord, name: string, site: number, by: number): boolean {
    const own = this.#stretches.ofScope(scope);
    return own !== null && this.#update(own, name, site, by);
  }

  // ---- Stretches -----------------------------------------------------------------------------------------------

  /** Somebody wants to know what was done last: those objects get records. */
  unfoldRecent(): void {
    this.#stretches.unfoldRecent();
  }

  /** Keeps none of those objects alive any longer. */
  forgetRecent(): void {
    this.#stretches.forgetRecent();
  }
}

/** Always; of a promise it is known from here on. */
function isNoted(value: unknown): true {
  notePromise(value);
  return true;
}
