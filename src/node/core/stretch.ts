import type { Activation } from './activation.ts';
import type { History } from './history.ts';
import type { ObjectRecord } from './object-record.ts';
import type { OwnRecord } from './own-record.ts';
import { Place } from './place.ts';
import type { Task } from './task.ts';

/** Puts what was put off of an object into its record. */
export type Unfold = (object: object, own: OwnRecord, record: ObjectRecord) => void;

/** An epoch of an activation, for what it does to objects that nobody else has touched: this is where it is logged if somebody comes. */
export class Stretch extends Place {
  readonly by: Activation;
  /** Changes if the activation turns out to be a task of its own. */
  task: Task;
  readonly epoch: number;
  readonly unfold: Unfold;
  /** Of an object to which nothing was done so far. */
  readonly start: History;

  constructor(entry: number, segment: number, epoch: number, by: Activation, start: History, unfold: Unfold) {
    super(entry, segment);
    this.start = start;
    this.epoch = epoch;
    this.by = by;
    this.task = by.task;
    this.unfold = unfold;
  }
}
