import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { outermost } from '../core/ancestry.ts';
import { LATE_READ, type Log, type LogChunk, placeInChunk } from '../core/log.ts';
import type { MakeVariables, ObjectRecord } from '../core/object-record.ts';
import type { Tasks } from './tasks.ts';
import type { UnnotedReads } from './unnoted-reads.ts';

/*
 * Most of what a task reads nobody else has touched or ever will: a request, what was made of it, an answer. Such a read is an entry of
 * the log and nothing else, as long as there are only reads of the variable, by one task. What is known of a variable is made of these
 * entries when somebody asks, which is before any other task comes to it and before it is written; if nobody has by the time that
 * they leave the log, they mostly vanish as if they had never been.
 */

/** So many places at which a variable is read in an epoch are logged, as by `VariableRecord`. */
const MOST_PLACES = 8;

/** So many reads of an object in one epoch are looked through. */
const MOST_READS = 16;

export class LateReads {
  readonly #tasks: Tasks;
  readonly #unnoted: UnnotedReads;
  readonly #make: MakeVariables = (object, key) => this.make(object, key);

  constructor(tasks: Tasks, unnoted: UnnotedReads) {
    this.#tasks = tasks;
    this.#unnoted = unnoted;
  }

  /** Logs a read; false if the variable has to have a record. */
  note(object: ObjectRecord, key: unknown, site: number): boolean {
    if (object.isMet || object.isGlobal || !object.isSmall || object.made(key) !== null) return false;
    const tasks = this.#tasks;
    const activation = tasks.acting();
    const { log, epoch } = tasks;
    const { task } = activation;
    // Entries of another recording are in its log.
    if (object.makeRead !== null && object.makeRead !== this.#make) object.makeRead(object);
    const last = object.lastRead < 0 ? null : log.chunkOf(object.lastRead);
    if (last !== null) {
      if (last.task[placeInChunk(object.lastRead)] !== task) {
        object.isMet = true;
        this.make(object);
        return false;
      }
      const known = this.#isKnown(object, key, site, epoch);
      if (known !== null) {
        if (known) tasks.noteRepeated();
        return known;
      }
    }
    const entry = log.push(LATE_READ, task, activation, object, site);
    const chunk = log.chunkOf(entry) as LogChunk;
    const i = placeInChunk(entry);
    chunk.key[i] = key;
    chunk.epoch[i] = epoch;
    log.noteRead(outermost(activation), tasks.segment, last === null ? -1 : object.lastRead);
    object.lastRead = entry;
    object.makeRead = this.#make;
    object.noteTask(task);
    tasks.overlap.read(activation.span);
    tasks.busy++;
    return true;
  }

  /** Whether the read adds nothing to those of this epoch; null if it does, and false if there are too many to tell. */
  #isKnown(object: ObjectRecord, key: unknown, site: number, epoch: number): boolean | null {
    const { log } = this.#tasks;
    let places = 0;
    let count = 0;
    for (let entry = object.lastRead; entry >= 0; ) {
      const chunk = log.chunkOf(entry);
      const i = placeInChunk(entry);
      if (chunk === null || chunk.epoch[i] !== epoch) return null;
      if (chunk.op[i] === LATE_READ && chunk.key[i] === key) {
        if (chunk.site[i] === site || ++places === MOST_PLACES) return true;
      }
      if (++count === MOST_READS) {
        this.make(object);
        return false;
      }
      entry = chunk.before[i];
    }
    return null;
  }

  /** Makes records of the variables of the object that were read; or only of the one with this key. */
  make(object: ObjectRecord, key?: unknown): void {
    const { log } = this.#tasks;
    const entries: number[] = [];
    let isLeft = false;
    for (let entry = object.lastRead; entry >= 0; ) {
      const chunk = log.chunkOf(entry);
      if (chunk === null) break;
      const i = placeInChunk(entry);
      if (chunk.op[i] === LATE_READ) {
        if (key === undefined || chunk.key[i] === key) entries.push(entry);
        else isLeft = true;
      }
      entry = chunk.before[i];
    }
    if (!isLeft) {
      object.lastRead = -1;
      object.makeRead = null;
    }
    for (let n = entries.length - 1; n >= 0; n--) this.#makeEntry(object, entries[n]);
  }

  /** The entry becomes a read of a variable, as it would have been. */
  #makeEntry(object: ObjectRecord, entry: number): void {
    const chunk = this.#tasks.log.chunkOf(entry) as LogChunk;
    const i = placeInChunk(entry);
    const task = chunk.task[i]!;
    const site = chunk.site[i];
    const key = chunk.key[i];
    const variable = object.made(key) ?? object.add(key, site, entry);
    chunk.op[i] = Op.read;
    chunk.subject[i] = variable;
    chunk.key[i] = null;
    if (variable.epoch !== chunk.epoch[i]) {
      variable.epoch = chunk.epoch[i];
      variable.kinds = 0;
    }
    variable.noteLogged(Op.read, site);
    variable.lastTask = task;
    this.#tasks.overlap.add(variable, Op.read, task, entry);
    chunk.prior[i] = variable.last;
    // Whoever makes it so asks.
    this.#unnoted.noteEntry(variable, chunk, i, entry);
    variable.last = entry;
    variable.noteTask(task, entry);
  }

  /** Somebody is going to look at what the activation has accessed from this entry of the log on. */
  makeFrom(entry: number, by: Activation): void {
    this.#tasks.log.forEachFrom(entry, (chunk, i) => {
      if (chunk.op[i] === LATE_READ && chunk.by[i] === by)
        this.make(chunk.subject[i] as ObjectRecord, chunk.key[i]);
    });
  }
}

/** What is late of an object and comes after this entry is going to be by another task. If not all is, there have to be variables. */
export function moveReads(log: Log, object: ObjectRecord, from: number): void {
  for (let entry = object.lastRead; entry >= 0; ) {
    const chunk = log.chunkOf(entry);
    if (chunk === null) break;
    const i = placeInChunk(entry);
    if (entry <= from && chunk.op[i] === LATE_READ) {
      object.makeRead?.(object);
      return;
    }
    entry = chunk.before[i];
  }
  object.noteMoved();
}
