import type { Writable } from 'node:stream';
import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { Activation, MARKED } from '../core/activation.ts';
import { MOST_ANCESTORS, outermost, starterOf } from '../core/ancestry.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import type { Place } from '../core/place.ts';
import { define } from '../support/patching.ts';
import type { WriteFacts } from './recorder.ts';
import type { Touch } from './touch.ts';

/** A file that is being written: it was emptied, and what is to be in it is not all there yet. */
export interface UnfinishedWrite {
  record: ObjectRecord;
  file: string;
  site: number;
  /** Who has asked for it. */
  by: Activation;
  /** The block that it is by itself, where it is part of no other. */
  block: Activation | null;
  /** Where its first write belongs if it turns out to be a block by itself: nobody has waited for it. */
  place: Place | null;
}

/** Nobody's next change depends on it: the write was when it began. */
const COMPLETES: WriteFacts = { flags: EventFlag.completes, isIdle: true };

/**
 * `writeFile` and its like empty the file, and write it then, while others run. So that is two writes of one block: of the one that
 * has asked for it, or, where there is none or it has not waited, a block of its own.
 */
export class FileWrites {
  readonly #touch: Touch;

  constructor(touch: Touch) {
    this.#touch = touch;
  }

  /** The first write has been recorded. `ownSite` is the place with the name of the operation. */
  begin(record: ObjectRecord, file: string, site: number, ownSite: () => number): UnfinishedWrite {
    const { tasks, callbacks } = this.#touch.recorder;
    const by = tasks.acting();
    const own = ownSite();
    const task = tasks.reserve('', own);
    const block = new Activation(MARKED, task, by, own);
    block.outer = null;
    block.isSuspended = true;
    task.root = block;
    const write: UnfinishedWrite = { record, file, site, by, block, place: null };
    if (isInBlock(by)) {
      tasks.log.push(Op.begin, task, block, null, own);
      write.place = this.#touch.recorder.place(block);
      // It has to be there when this turns out to be a block by itself.
      this.#touch.recorder.unanswered++;
      return write;
    }
    callbacks.onBehalf(block, null, () => {
      tasks.log.push(Op.begin, tasks.acting().task, block, null, own);
      this.#touch.variable(record, record, file, Op.write, site);
    });
    return write;
  }

  /** The same for what a block writes bit by bit, until it says that this is all; null if there is no block to do so. */
  beginInBlock(record: ObjectRecord, file: string, site: number): UnfinishedWrite | null {
    const by = this.#touch.recorder.tasks.acting();
    return isInBlock(by) ? { record, file, site, by, block: null, place: null } : null;
  }

  /** That was all. */
  finishInBlock(write: UnfinishedWrite): void {
    if (this.isUnfinished(write)) this.finish(write);
  }

  /** A block that is over has left the file open, as one does with a log. */
  isUnfinished({ by }: UnfinishedWrite): boolean {
    return !outermost(by).isOver;
  }

  /** All of it is there. */
  finish(write: UnfinishedWrite): void {
    const { record, file, site, by, block } = write;
    const { callbacks } = this.#touch.recorder;
    const isByItself = block !== null && this.#isByItself(write, block);
    callbacks.onBehalf(isByItself ? block : by, by, () =>
      this.#touch.variable(record, record, file, Op.write, site, COMPLETES),
    );
    this.giveUp(write);
  }

  /** It has failed, or is over. */
  giveUp({ block, place }: UnfinishedWrite): void {
    const { recorder } = this.#touch;
    if (place !== null) recorder.unanswered--;
    if (block !== null) recorder.tasks.abandon(block);
  }

  #isByItself({ record, file, site, by, place }: UnfinishedWrite, block: Activation): boolean {
    if (place === null) return true;
    if (isInBlock(by, true)) return false;
    return this.#touch.recorder.accessAt(place, block, record.variable(file, site), Op.write, site, 0);
  }

  /** The same when a stream says that it is over; `isInProgram` tells who calls it, `opened` is told its descriptor. */
  finishWith(
    write: UnfinishedWrite,
    stream: Writable,
    isInProgram: () => boolean,
    opened: (descriptor: number) => void,
  ): void {
    const { emit } = stream;
    const log = this.#watchForLog(write, stream, isInProgram);
    let isOver = false;
    define(stream, 'emit', {
      configurable: true,
      writable: true,
      enumerable: false,
      value: (event: string, ...values: unknown[]) => {
        if (event === 'open' && typeof values[0] === 'number') opened(values[0]);
        if (!isOver && (event === 'finish' || event === 'close')) {
          isOver = true;
          if (log.isLog) this.giveUp(write);
          else this.finish(write);
        }
        return Reflect.apply(emit, stream, [event, ...values]);
      },
    });
  }

  /**
   * A log is never all there: the program goes on writing to it when the block is over that has made it; or blocks do, and none
   * of them has made it.
   */
  #watchForLog(
    { by, place }: UnfinishedWrite,
    stream: Writable,
    isInProgram: () => boolean,
  ): { isLog: boolean } {
    const { tasks } = this.#touch.recorder;
    const log = { isLog: false };
    const isFromOthers = () =>
      place === null ? tasks.current !== null && isInBlock(tasks.current) : !isInBlock(by, true);
    for (const name of ['write', 'end'] as const) {
      const original = stream[name] as (...values: unknown[]) => unknown;
      define(stream, name, {
        configurable: true,
        writable: true,
        enumerable: false,
        value: (...values: unknown[]) => {
          if (!log.isLog && isFromOthers() && isInProgram()) log.isLog = true;
          return Reflect.apply(original, stream, values);
        },
      });
    }
    return log;
  }
}

/** Whether what the activation does is part of a block, of one that is not over if `isOpen`. */
function isInBlock(activation: Activation, isOpen = false): boolean {
  let around: Activation | null = outermost(activation);
  for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
    if (around.isBlock && !(isOpen && around.isOver)) return true;
  return false;
}
