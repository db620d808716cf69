import type { EventEmitter } from 'node:events';
import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { Activation, MARKED } from '../core/activation.ts';
import { MOST_ANCESTORS, outermost, starterOf } from '../core/ancestry.ts';
import type { ObjectRecord } from '../core/object-record.ts';
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
}

/** Nobody's next change depends on it: the write was when it began. */
const COMPLETES: WriteFacts = { flags: EventFlag.completes, isIdle: true };

/**
 * `writeFile` and its like empty the file, and write it then, while others run. So that is two writes of one block: of the one that
 * has asked for it, or, where there is none, a block of its own.
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
    const write: UnfinishedWrite = { record, file, site, by, block: null };
    if (isInBlock(by)) return write;
    const own = ownSite();
    const task = tasks.reserve('', own);
    const block = new Activation(MARKED, task, by, own);
    block.outer = null;
    block.isSuspended = true;
    task.root = block;
    write.block = block;
    callbacks.onBehalf(block, null, () => {
      tasks.log.push(Op.begin, tasks.acting().task, block, null, own);
      this.#touch.variable(record, record, file, Op.write, site);
    });
    return write;
  }

  /** The same for what a block writes bit by bit, until it says that this is all; null if there is no block to do so. */
  beginInBlock(record: ObjectRecord, file: string, site: number): UnfinishedWrite | null {
    const by = this.#touch.recorder.tasks.acting();
    return isInBlock(by) ? { record, file, site, by, block: null } : null;
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
  finish({ record, file, site, by, block }: UnfinishedWrite): void {
    const { tasks, callbacks } = this.#touch.recorder;
    callbacks.onBehalf(block ?? by, by, () =>
      this.#touch.variable(record, record, file, Op.write, site, COMPLETES),
    );
    if (block !== null) tasks.abandon(block);
  }

  /** The same when a stream says that it is over. */
  finishWith(write: UnfinishedWrite, stream: EventEmitter): void {
    const { emit } = stream;
    let isOver = false;
    define(stream, 'emit', {
      configurable: true,
      writable: true,
      enumerable: false,
      value: (event: string, ...values: unknown[]) => {
        if (!isOver && (event === 'finish' || event === 'close')) {
          isOver = true;
          this.finish(write);
        }
        return Reflect.apply(emit, stream, [event, ...values]);
      },
    });
  }
}

/** Whether what the activation does is part of a block that is going on. */
function isInBlock(activation: Activation): boolean {
  let around: Activation | null = outermost(activation);
  for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
    if (around.isBlock) return true;
  return false;
}
