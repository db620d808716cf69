import { types } from 'node:util';
import { isWithin, outermost } from '../core/ancestry.ts';
import { History } from '../core/history.ts';
import { PLACE } from '../core/log.ts';
import { ObjectRecord } from '../core/object-record.ts';
import { LIST, type OwnRecord, PLAIN } from '../core/own-record.ts';
import { Place } from '../core/place.ts';
import { type DoneBy, Stretch, type Unfold } from '../core/stretch.ts';
import { RUNNING } from '../core/task.ts';
import { replay } from './own-replay.ts';
import type { Recorder } from './recorder.ts';
import {
  findRecord,
  hasNoEntries,
  knownOf,
  knownOfList,
  ownRecordIn,
  ownRecordOf,
  putOffOf,
  unfold,
} from './stamp.ts';

/** So many accesses of a segment are logged before any is put off: most segments are over by then. */
const FROM = 1000;

/** So many objects are remembered that were the last ones to be touched for the first time. */
const RECENT = 64;

/** For which objects, and in whose name, accesses are put off: "Own objects" in docs/explanation/javascript-internals.md. */
export class OwnStretches {
  readonly #recorder: Recorder;
  readonly #from: number;
  readonly #unfold: Unfold;
  readonly #start = new History();
  #stretch: Stretch | null = null;
  readonly #recent: (object | null)[] = new Array(RECENT).fill(null);
  #next = 0;
  readonly #remember = (object: object) => {
    this.#recent[this.#next++ % RECENT] = object;
  };

  constructor(recorder: Recorder, from = FROM) {
    this.#recorder = recorder;
    this.#from = from;
    this.#unfold = (object, own, record) => replay(recorder, object, own, record, this.#doneBy(own.stretch));
  }

  /** Whether anything can be put off now: in most segments nothing ever is. */
  get isOn(): boolean {
    const { tasks } = this.#recorder;
    return (this.#stretch !== null && this.#stretch.epoch === tasks.epoch) || tasks.busy >= this.#from;
  }

  /** Whether what was put off is of this epoch. */
  isPresent(own: OwnRecord): boolean {
    return own.stretch.epoch === this.#recorder.tasks.epoch;
  }

  /** What is put off of an object in this epoch; null if nothing can be. */
  of(object: object): OwnRecord | null {
    if (!this.isOn) return null;
    const known = knownOf(object);
    const own = known === undefined ? null : known.own;
    return own !== null && this.isPresent(own) ? own : this.begun(object, known);
  }

  /** The same where nothing is in this epoch so far; `known`: what is known of the object. */
  begun(object: object, known: ObjectRecord | OwnRecord | undefined): OwnRecord | null {
    const stretch = this.#now();
    if (stretch === null || isUnfoldedIn(known, stretch.epoch)) return null;
    return ownRecordOf(object, known, stretch, this.#remember);
  }

  /** The same for an array, and null for a proxy of one. */
  ofList(object: object): OwnRecord | null {
    if (!this.isOn || !Array.isArray(object)) return null;
    const known = knownOfList(object);
    let own = known === undefined ? null : known.own;
    if (own === null || !this.isPresent(own)) {
      const stretch = this.#now();
      if (stretch === null || isUnfoldedIn(known, stretch.epoch)) return null;
      own = ownRecordOf(object, known, stretch, this.#remember);
    }
    if (own === null || (own.is & LIST) !== 0) return own;
    if (types.isProxy(object)) return null;
    own.is |= LIST;
    return own;
  }

  ofScope(scope: ObjectRecord): OwnRecord | null {
    if (scope.own !== null && this.isPresent(scope.own)) return scope.own;
    const stretch = this.#now();
    return stretch === null ? null : ownRecordIn(scope, scope, stretch, this.#remember);
  }

  /** The same for an object that has no entries or elements, and is no regular expression; null for others. */
  ofPlain(object: object): OwnRecord | null {
    if (!this.isOn) return null;
    const known = putOffOf(object);
    if (known !== null && (known.is & PLAIN) !== 0 && this.isPresent(known)) return known;
    if (this.#now() === null || !hasNoEntries(object)) return null;
    const own = this.of(object);
    if (own !== null) own.is |= PLAIN;
    return own;
  }

  /** Somebody wants to know what was done last: those objects get records. */
  unfoldRecent(): void {
    for (let i = 0; i < RECENT; i++) {
      const object = this.#recent[i];
      if (object instanceof ObjectRecord) unfold(object, object);
      else if (object !== null) findRecord(object);
      this.#recent[i] = null;
    }
  }

  /** Keeps none of those objects alive any longer. */
  forgetRecent(): void {
    if (this.#next === 0) return;
    this.#recent.fill(null);
    this.#next = 0;
    this.#stretch = null;
  }

  /** Null as long as everything is logged. */
  #now(): Stretch | null {
    const { tasks } = this.#recorder;
    const stretch = this.#stretch;
    if (stretch !== null && stretch.epoch === tasks.epoch && stretch.by === tasks.current && !stretch.isGone)
      return stretch;
    return tasks.busy < this.#from ? null : this.#begin();
  }

  #begin(): Stretch {
    const { tasks } = this.#recorder;
    const by = tasks.acting();
    const { log } = tasks;
    const stretch = new Stretch(log.next, tasks.segment, tasks.epoch, by, this.#start, this.#unfold);
    tasks.overlap.read(by.span);
    log.push(PLACE, by.task, by, stretch, 0);
    this.#stretch = stretch;
    return stretch;
  }

  /**
   * Who has done what was put off, and where to log it. If its own place has left the log, it is here, as long as the block is open:
   * a block is one whole in all orders. Nowhere if it comes too late, or is ordered anyway, as somebody has come who was started
   * since.
   */
  #doneBy(stretch: Stretch): DoneBy {
    const { entry, segment, epoch } = stretch;
    if (!stretch.isGone) return { by: stretch.by, task: stretch.task, entry, segment, epoch, place: stretch };
    const { tasks, callbacks } = this.#recorder;
    const by = stretch.stillOpen();
    if (by === null) return { by: stretch.by, task: stretch.task, entry, segment, epoch, place: null };
    const { task } = outermost(by);
    const now = tasks.current ?? callbacks.registeredIn();
    const isOrdered = task.state !== RUNNING || (now?.task !== task && isWithin(now, task));
    if (isOrdered) return { by, task, entry, segment, epoch, place: null };
    const place = new Place(tasks.log.next, segment);
    tasks.log.push(PLACE, task, by, place, 0);
    return { by, task, entry: place.entry, segment, epoch, place };
  }
}

/** Whether what was put off in this epoch was wanted after all. */
function isUnfoldedIn(known: ObjectRecord | OwnRecord | undefined, epoch: number): boolean {
  return known instanceof ObjectRecord && known.own === null && known.unfoldedIn === epoch;
}
