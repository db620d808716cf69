import { types } from 'node:util';
import type { StoreEvidence } from '../../trace/evidence.ts';
import { EventFlag } from '../../trace/facts.ts';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { type Activation, CONTINUING } from '../core/activation.ts';
import { MOST_ANCESTORS, outermost, starterOf } from '../core/ancestry.ts';
import { holdLock, type LockRecord } from '../core/lock-record.ts';
import { PLACE } from '../core/log.ts';
import { Place } from '../core/place.ts';
import type { DoneBy } from '../core/stretch.ts';
import { RUNNING, type Task } from '../core/task.ts';
import { UNKNOWN, type VariableRecord } from '../core/variable.ts';
import { Abandoned } from './abandoned.ts';
import { Answers } from './answers.ts';
import { Callbacks } from './callbacks.ts';
import { putInLog } from './calls-in-log.ts';
import type { Pending } from './continuations.ts';
import { type Counted, countedBy, isGivenBack } from './counted.ts';
import { EvidenceLog } from './evidence-log.ts';
import { hasFailedIn, noteFailure } from './failures.ts';
import { leftTo } from './handover.ts';
import { IsolateMessages } from './isolate-messages.ts';
import { LateReads } from './late-reads.ts';
import { freeLock } from './locks/free-lock.ts';
import { Looks } from './looks.ts';
import { OwnObjects } from './own-objects.ts';
import { isPutAgain, isSharedResult } from './single-flight.ts';
import {
  afterUpdate,
  beforeUpdate,
  isStale,
  noteChange,
  noteRead,
  noteReads,
  noteReadsLate,
  readAt,
  wasLeftTo,
  wasReadBefore,
  wasReadBy,
} from './staleness.ts';
import type { TaskHooks } from './task-hooks.ts';
import { Tasks } from './tasks.ts';
import type { UnnotedReads } from './unnoted-reads.ts';
import type { Values } from './values.ts';
import { isFlag } from './written-value.ts';

/** What is known of an access besides (`EventFlag`), and whether it has changed nothing that anybody goes by. */
export interface WriteFacts {
  flags: number;
  isIdle: boolean;
  /** For what is in a store, if several processes may use it: what orders it among what they do. */
  evidence?: StoreEvidence | null;
}

export const NOTHING_KNOWN: WriteFacts = { flags: 0, isIdle: false };

/** Of a change by a block that was woken by the task which has left the variable so. */
const LEFT: WriteFacts = { flags: EventFlag.handOff, isIdle: false };

export interface RecorderOptions {
  /** The log may be handed over. */
  segmentEnded(): void;
  /** Whether what is read at a place is only told to somebody. */
  isMention(site: number): boolean;
  /** What was read and written; null where nobody wants to know. */
  values: Values | null;
  /** After how many accesses of a segment some are put off; undefined for the usual number. */
  putOffFrom?: number | undefined;
  /** Whether reads have records only when somebody asks. */
  readsLate?: boolean;
  /** From which entry of the log on tasks are left out that can be part of no cycle; by default everything is recorded. */
  leftOutFrom?: number;
}

/** Keeps the log of what tasks do. */
export class Recorder {
  /** Which task is running. */
  readonly tasks: Tasks;
  /** What the event loop runs. */
  readonly callbacks: Callbacks;
  /** What other isolates hear of. */
  readonly messages: IsolateMessages;
  readonly values: Values | null;
  readonly #isMention: (site: number) => boolean;

  /** Of what was given to the program, whether it has looked at it. */
  readonly looks = new Looks();
  readonly evidence = new EvidenceLog();
  readonly abandoned = new Abandoned<Activation>((activation) => this.tasks.abandon(activation));
  readonly abandonedCallbacks = new Abandoned<Pending>((callback) => callback.end());
  /** What need not be logged for now. */
  readonly own: OwnObjects;
  /** Reads of which it is not noted yet whose they are. */
  readonly unnoted: UnnotedReads;
  /** Reads that need no records for now; null if all have them. */
  readonly late: LateReads | null;
  /** Whether the program has loaded a driver. */
  followsStores = false;
  /** How many statements have been sent to stores whose answers are still to come. */
  unanswered = 0;

  /** Updates that were done elsewhere. */
  readonly answers: Answers;

  constructor({
    segmentEnded,
    isMention,
    values,
    putOffFrom,
    readsLate = true,
    leftOutFrom = Number.POSITIVE_INFINITY,
  }: RecorderOptions) {
    const hooks: TaskHooks = {
      enterUnknown: () => this.callbacks.enterUnknown(),
      endStale: () => this.callbacks.endStale(),
      hear: () => this.messages.hear(),
      segmentEnded,
      logPutOff: () => this.own.unfoldRecent(),
      makeReads: (entry, by) => this.late?.makeFrom(entry, by),
    };
    this.tasks = new Tasks(hooks, leftOutFrom);
    this.callbacks = new Callbacks(this.tasks);
    this.messages = new IsolateMessages(this.tasks, this.callbacks);
    this.values = values;
    this.own = new OwnObjects(this, putOffFrom);
    this.answers = new Answers(this.tasks);
    this.unnoted = noteReadsLate(this.tasks.log, isMention);
    this.late = readsLate ? new LateReads(this.tasks, this.unnoted) : null;
    this.#isMention = isMention;
  }

  /**
   * Logs an access unless it repeats one of this epoch at the same place, which adds nothing. `known`: what else is known of it, for whoever
   * judges.
   */
  access(variable: VariableRecord, kind: AccessKind, site: number, known: WriteFacts = NOTHING_KNOWN): void {
    const { tasks } = this;
    const activation = tasks.acting();
    const bit = 1 << kind;
    let sequence = 0;
    if (known.evidence) {
      // Other processes may have come in between, which nobody here can see.
      variable.isShared = true;
      variable.kinds = 0;
    }
    if (tasks.isolate !== null && variable.parent.isGlobal) {
      // Other isolates may have come in between, which nobody here can see.
      variable.isShared = true;
      variable.kinds = 0;
      sequence = tasks.isolate.clock.take();
    } else if (variable.epoch !== tasks.epoch) {
      variable.epoch = tasks.epoch;
      variable.kinds = 0;
    } else if (variable.isLogged(kind, site)) {
      tasks.noteRepeated();
      return;
    }
    variable.noteLogged(kind, site);
    const { task } = activation;
    const other = kind === Op.read ? variable.lastWriter : variable.lastTask;
    // It knows more from here on, so what it did before is worth an event again.
    if (other !== task && other !== null && variable.lastTask !== task) variable.epoch = tasks.newEpoch();
    variable.lastTask = task;
    tasks.overlap.access(variable, kind, task, activation.span);
    const entry = tasks.log.push(kind, task, activation, variable, site, sequence);
    tasks.log.notePrior(variable.last);
    tasks.busy++;
    if (known.evidence) {
      tasks.overlap.keep(activation);
      this.evidence.note(entry, known.evidence);
    }
    if (known.flags !== 0) {
      tasks.log.annotate(entry, known.flags);
      // The next one may be another.
      variable.kinds &= ~bit;
    }
    if (kind === Op.read) {
      this.unnoted.add(variable, outermost(activation), entry, tasks.segment);
    } else {
      variable.changedAt = entry;
      if (!known.isIdle) this.#noteChange(variable, activation, task, entry, tasks.segment, kind);
    }
    if (sequence !== 0) variable.kinds = 0;
    variable.last = entry;
    variable.noteTask(task, entry);
  }

  /** Keeps a place in the log for what turns out later to have happened now. */
  place(activation: Activation): Place {
    const { log, segment } = this.tasks;
    if (!activation.isLogged) putInLog(this.tasks, activation);
    this.tasks.overlap.keep(activation);
    const place = new Place(log.next, segment);
    log.push(PLACE, activation.task, activation, place, 0);
    return place;
  }

  /** Logs an access at a place; false if it is too late for that. */
  accessAt(
    place: Place,
    by: Activation,
    variable: VariableRecord,
    kind: AccessKind,
    site: number,
    flags: number,
    evidence: StoreEvidence | null = null,
  ): boolean {
    // The order of several isolates is decided at once.
    if (place.isGone || this.tasks.isolate !== null) return false;
    const { task } = by;
    this.tasks.overlap.keep(by);
    this.tasks.overlap.add(variable, kind, task, place.entry);
    place.accesses.push({ op: kind, task, by, variable, site, flags, evidence });
    if (evidence !== null) variable.isShared = true;
    if (kind === Op.read) {
      noteRead(variable, by, place.entry, place.segment, this.#isMention(site));
    } else {
      noteReads(variable);
      variable.changedAt = Math.max(variable.changedAt, place.entry);
      variable.lastWriter = task;
    }
    variable.lastTask ??= task;
    variable.last = Math.max(variable.last, place.entry);
    variable.noteTask(task, place.entry);
    // What is the same again is told again: others may have come in between.
    variable.epoch = 0;
    return true;
  }

  /** Logs an access that was put off. */
  accessLate(
    { by, task, segment, epoch, entry, place }: DoneBy,
    variable: VariableRecord,
    kind: AccessKind,
    site: number,
    known: WriteFacts = NOTHING_KNOWN,
  ): void {
    if (variable.epoch !== epoch) {
      variable.epoch = epoch;
      variable.kinds = 0;
    } else if (variable.isLogged(kind, site)) return;
    variable.noteLogged(kind, site);
    variable.lastTask = task;
    if (place !== null) this.tasks.overlap.keep(by);
    this.tasks.overlap.add(variable, kind, task, entry);
    place?.accesses.push({ op: kind, task, by, variable, site, flags: known.flags, evidence: null });
    if (known.flags !== 0) variable.kinds &= ~(1 << kind);
    if (kind === Op.read) {
      noteRead(variable, by, entry, segment, this.#isMention(site));
    } else {
      variable.changedAt = entry;
      if (!known.isIdle) this.#noteChange(variable, by, task, entry, segment, kind);
    }
    variable.last = entry;
    variable.noteTask(task, entry);
  }

  #noteChange(
    variable: VariableRecord,
    activation: Activation,
    task: Task,
    entry: number,
    segment: number,
    kind: AccessKind,
  ): void {
    noteChange(variable, activation, entry, segment, kind === Op.update);
    if (variable.lastWriter !== task) variable.formerWriter = variable.lastWriter;
    variable.lastWriter = task;
    variable.value = UNKNOWN;
    if (activation.changed < entry) activation.changed = entry;
  }

  /**
   * What is known of a write besides. `isSame`: whether it leaves the value as it was; `isReset`: whether it takes back
   * something that is set.
   */
  factsOfWrite(
    variable: VariableRecord,
    value: unknown,
    isSame: boolean,
    isReset: () => boolean,
  ): WriteFacts {
    if (this.tasks.current === null) return NOTHING_KNOWN;
    const activation = this.tasks.acting();
    const isAgain = isPutAgain(activation, variable, value);
    if (!isSame) {
      const flags = this.#leftFlags(variable, activation, isReset) | (isAgain ? EventFlag.sharedResult : 0);
      return flags === 0 ? NOTHING_KNOWN : { flags, isIdle: false };
    }
    let flags: number = EventFlag.same;
    if (isSharedResult(activation, value)) flags |= EventFlag.sharedResult;
    // A state is often said by its name: 'failed'.
    const isFailure =
      isFlag(value) || typeof value === 'string'
        ? hasFailedIn(activation, this.tasks.segment)
        : types.isNativeError(value);
    if (isFailure) flags |= EventFlag.failure;
    return { flags, isIdle: this.#isIdle(variable, activation) };
  }

  /** Something is put there. */
  notePut(variable: VariableRecord, value: unknown): void {
    if (this.tasks.current !== null) isPutAgain(this.tasks.acting(), variable, value);
  }

  /** Whether a write of what is there already leaves things as they are for everybody: nobody acts upon it. */
  #isIdle(variable: VariableRecord, activation: Activation): boolean {
    const { lastWriter } = variable;
    // Nobody has changed it, and the block only puts back what it found.
    if (lastWriter === null) return wasReadBy(variable, outermost(activation));
    // What a task had written before the other one did is its own again.
    if (lastWriter === activation.task || variable.formerWriter === activation.task) return false;
    return !isStale(variable, activation, this.tasks.segment);
  }

  /** Whether a block that was woken by another task goes on with what that has left in the variable: see `handover.ts`. */
  #leftFlags(variable: VariableRecord, activation: Activation, isReset: () => boolean): number {
    const { lastWriter } = variable;
    if (lastWriter === null || lastWriter === activation.task) return 0;
    let block = outermost(activation);
    const starter = block.isBlock ? null : starterOf(block);
    if (starter?.kind === CONTINUING) block = starter;
    return leftTo(block, variable, isReset) === null ? 0 : EventFlag.handOff;
  }

  /** The innermost block that is running, if there is one. */
  innermostBlock(): Activation | null {
    let block = this.tasks.current;
    while (block !== null && !block.isBlock) block = block.outer;
    return block;
  }

  /** Something that the current activation waited for has failed. */
  noteFailure(): void {
    if (this.tasks.current !== null) noteFailure(this.tasks.current, this.tasks.segment);
  }

  /** Whether only one other task has ever touched the one variable, and that after the current block had read the other one. */
  isMadeSinceRead({ owner, first }: VariableRecord, other: VariableRecord): boolean {
    if (owner === null) return false;
    const activation = this.tasks.acting();
    const block = outermost(activation);
    return owner !== activation.task && block.isBlock && wasReadBefore(other, block, first);
  }

  /** The number of the acquisition, for `release`; null, and nothing is logged, if another task holds the lock. */
  acquire(lock: LockRecord, activation: Activation, site: number): number | null {
    const { task } = activation;
    if (task.state !== RUNNING || (lock.holder !== null && lock.holder !== task)) return null;
    if (lock.holder === task) {
      lock.depth++;
      return lock.acquisition;
    }
    if (!activation.isLogged) putInLog(this.tasks, activation);
    holdLock(lock, task);
    this.tasks.overlap.keep(activation);
    this.tasks.log.push(Op.acquire, task, activation, lock, site);
    this.tasks.newEpoch();
    return ++lock.acquisition;
  }

  release(lock: LockRecord, acquisition: number): void {
    if (lock.holder === null || lock.acquisition !== acquisition) return;
    if (lock.depth > 0) lock.depth--;
    else freeLock(this.tasks, lock);
  }

  /**
   * An update that commutes with others, unless the block may act upon what it read before (SEMANTICS: `u`). What it
   * read in this very segment is still true: `if (active < limit) active++` is one step that nothing can come into. `by` is
   * how much a number changes, if it is one.
   */
  update(variable: VariableRecord, site: number, by?: number): void {
    const activation = this.tasks.acting();
    const { segment } = this.tasks;
    const isSettled = by !== undefined && isGivenBack(activation, variable, by, segment);
    const commutes = isSettled || !isStale(variable, activation, segment, by ?? Number.NaN);
    const { version, replacedAt } = beforeUpdate(variable);
    if (commutes) {
      this.access(variable, Op.update, site);
    } else {
      const wasLeft = wasLeftTo(variable, outermost(activation));
      this.access(variable, Op.read, site);
      this.access(variable, Op.write, site, wasLeft ? LEFT : NOTHING_KNOWN);
    }
    afterUpdate(variable, by, version, replacedAt);
  }

  /** How often the variable has been updated so, if the next time in this epoch is counted and nothing else. */
  countedNow(variable: VariableRecord, by: number): Counted | null {
    const { current, segment } = this.tasks;
    if (current === null || (variable.isShared && this.values?.wants(variable))) return null;
    return countedBy(current, variable, by, segment);
  }

  /**
   * The same for one that is done elsewhere, in one step: if it does not commute, it is a write, and no second look.
   * `ifUsed`: what it is if whoever asked goes by the answer, which tells what came of it.
   */
  updateElsewhere(
    variable: VariableRecord,
    site: number,
    ifUsed: Op | null = null,
    known: WriteFacts = NOTHING_KNOWN,
  ): void {
    const isActedUpon =
      isStale(variable, this.tasks.acting(), this.tasks.segment, Number.NaN, true) &&
      !this.#isUnseen(variable);
    this.access(variable, isActedUpon ? Op.write : Op.update, site, known);
    if (isActedUpon && ifUsed !== null) this.answers.await(variable, ifUsed);
  }

  /** Whether the block has been given what is there, and has not looked at it. */
  #isUnseen(variable: VariableRecord): boolean {
    let isUnseen = false;
    let block: Activation | null = outermost(this.tasks.acting());
    for (let i = 0; block !== null && i < MOST_ANCESTORS; i++, block = starterOf(block)) {
      const entry = readAt(variable, block);
      if (entry === null) continue;
      if (!this.looks.isUnseen(entry)) return false;
      isUnseen = true;
    }
    return isUnseen;
  }

  /** Whether the block cannot have made what it writes of what it was given there. */
  isApart(variable: VariableRecord, written: unknown): boolean {
    let isApart = false;
    let block: Activation | null = outermost(this.tasks.acting());
    for (let i = 0; block !== null && i < MOST_ANCESTORS; i++, block = starterOf(block)) {
      const entry = readAt(variable, block);
      if (entry === null) continue;
      if (!this.looks.isApart(variable, entry, written)) return false;
      isApart = true;
    }
    return isApart;
  }
}
