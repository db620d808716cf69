import { Activation, CALLBACK } from './activation.ts';
import { outermost } from './ancestry.ts';
import type { History } from './history.ts';
import type { ObjectRecord } from './object-record.ts';
import type { OwnRecord } from './own-record.ts';
import { Place } from './place.ts';
import { SOME_ENDED, type Task } from './task.ts';

/** Puts what was put off of an object into its record. */
export type Unfold = (object: object, own: OwnRecord, record: ObjectRecord) => void;

/** Who has done what was put off, when, and where that is to be logged, if it is. */
export interface DoneBy {
  readonly by: Activation;
  readonly task: Task;
  readonly segment: number;
  readonly epoch: number;
  readonly entry: number;
  readonly place: Place | null;
}

/** Stands for any activation that is over. */
const SOME_OVER = new Activation(CALLBACK, SOME_ENDED, null, 0);
SOME_OVER.isOver = true;

/** An epoch of an activation, for what it does to objects that nobody else has touched: this is where it is logged if somebody comes. */
export class Stretch extends Place {
  by: Activation;
  /** Changes if the activation turns out to be a task of its own. */
  task: Task;
  readonly epoch: number;
  readonly unfold: Unfold;
  /** Of an object to which nothing was done so far. */
  readonly start: History;
  /** The activation, once this has left the log: objects that live on keep nothing alive that is over. */
  #by: WeakRef<Activation> | null = null;

  constructor(entry: number, segment: number, epoch: number, by: Activation, start: History, unfold: Unfold) {
    super(entry, segment);
    this.start = start;
    this.epoch = epoch;
    this.by = by;
    this.task = by.task;
    this.unfold = unfold;
  }

  override leave(): void {
    super.leave();
    this.#by = new WeakRef(this.by);
    this.by = SOME_OVER;
    this.task = SOME_ENDED;
    this.accesses = [];
  }

  /** The activation, if the block that it is in is open after all that. */
  stillOpen(): Activation | null {
    const by = this.#by?.deref();
    const block = by === undefined ? undefined : outermost(by);
    return by !== undefined && block?.isBlock && !block.isOver ? by : null;
  }
}
