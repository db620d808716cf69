import { EventBatch } from '../../trace/batch.ts';
import type { StoreEvidence } from '../../trace/evidence.ts';
import { EventFlag, type FactRecord } from '../../trace/facts.ts';
import { accessKind, Op } from '../../trace/operation.ts';
import { type Activation, NEEDED, UNBEGUN } from '../core/activation.ts';
import { nearestOpen } from '../core/ancestry.ts';
import type { ChannelRecord } from '../core/channel-record.ts';
import { isNothing } from '../core/idle-tasks.ts';
import type { LockRecord } from '../core/lock-record.ts';
import {
  BACKGROUND_SLOT,
  CALL,
  FORK_SLOT,
  HERE,
  LATE_READ,
  type LogChunk,
  PLACE,
  REAP,
} from '../core/log.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import type { Place } from '../core/place.ts';
import { ENDED, type Task, TaskThread, WAITING } from '../core/task.ts';
import { LOOKED_BACK, type TraceSink } from '../core/trace-sink.ts';
import type { VariableRecord } from '../core/variable.ts';
import { EventFacts } from './event-facts.ts';
import { taskFacts, variableFacts } from './judged-facts.ts';
import { LargeObjects } from './large-objects.ts';
import { LeavingTasks } from './leaving-tasks.ts';
import { RunningNames } from './live-names.ts';
import { Messages } from './messages.ts';
import { PrivateVariables } from './private-variables.ts';
import type { Recorder } from './recorder.ts';
import type { Sites } from './sites.ts';
import { forgetAllReaders, forgetReaders } from './staleness.ts';
import { TaskNames } from './task-names.ts';
import { ANONYMOUS, TracePlaces } from './trace-places.ts';
import { VariableLives } from './variable-lives.ts';
import type { VariableNames } from './variable-names.ts';

/** So many blocks of a task wait for something to happen in them. */
const MOST_UNBEGUN = 64;

/** Turns entries of the log into events of a trace, and hands those to the sinks. */
export class Drain {
  readonly names = new RunningNames();
  readonly #recorder: Recorder;
  readonly #variableNames: VariableNames;
  readonly #taskNames: TaskNames;
  readonly #sinks: readonly TraceSink[];
  readonly #batch = new EventBatch();
  readonly #sequences = new Int32Array(this.#batch.capacity);
  readonly #flags = new Uint16Array(this.#batch.capacity);
  readonly #sites: Sites;
  readonly #places: TracePlaces;
  /** Activations whose ends are in the batch. */
  readonly #over: Activation[] = [];
  readonly #large: LargeObjects;
  readonly #messages: Messages;
  readonly #leaving: LeavingTasks;
  /** Gives back the numbers of variables that nobody can access any more. */
  readonly #lives = new VariableLives((ids) => this.#forgetVariables(ids));
  readonly #facts: EventFacts;
  readonly #private = new PrivateVariables();
  /** By site: how many of its blocks are not in the trace. */
  readonly #leftOut = new Map<number, number>();
  #isFinishing = false;
  /** That of the entry that is being taken. */
  #sequence = 0;
  #flag = 0;

  constructor(
    recorder: Recorder,
    sites: Sites,
    variableNames: VariableNames,
    sinks: readonly TraceSink[],
    isolate: string | null = null,
  ) {
    this.#recorder = recorder;
    this.#sites = sites;
    this.#places = new TracePlaces(sites, this.names, (fact) => this.noteFact(fact));
    this.#variableNames = variableNames;
    this.#taskNames = new TaskNames(sites, isolate);
    this.#sinks = sinks;
    this.#facts = new EventFacts(this.#batch, this.names.variables, recorder.tasks, (fact) =>
      this.noteFact(fact),
    );
    this.#large = new LargeObjects(sinks);
    this.#leaving = new LeavingTasks(this.names.threads, sinks);
    this.#messages = new Messages(this.names.locks, sinks);
  }

  /** Hands over all but the latest chunks. */
  drain(keep: number): void {
    this.#places.reserve();
    this.#private.noteProgress();
    let entry = 0;
    this.#recorder.tasks.log.handOver(keep, (chunk, first) => {
      this.#take(chunk, first);
      entry = first + chunk.length;
    });
    this.#flush();
    for (const fact of this.#recorder.tasks.served.take((site) => this.#sites.line(site)))
      this.noteFact(fact);
    this.#large.forgetSettled(entry);
  }

  /** Hands over all that is known so far, for somebody who looks at it before the end. */
  flush(): void {
    for (const fact of this.#sites.takeRest()) this.noteFact(fact);
    for (const sink of this.#sinks) sink.flush?.();
  }

  /** Nothing comes after this. */
  finish(): void {
    this.#isFinishing = true;
    this.drain(0);
    for (const fact of this.#sites.takeRest()) this.noteFact(fact);
    if (this.#leftOut.size > 0) this.noteFact(['program', { unmet: this.#labelsLeftOut() }]);
    for (const sink of this.#sinks) sink.finish(this.#batch.firstEvent - 1);
  }

  #take(chunk: LogChunk, first: number): void {
    for (let i = 0; i < chunk.length; i++) {
      // Before anything is numbered: what is handed over with a batch may give numbers back.
      if (this.#batch.length === this.#batch.capacity) this.#flush();
      const task = chunk.task[i] as Task;
      const by = chunk.by[i];
      const subject = chunk.subject[i];
      const site = chunk.site[i];
      const op = chunk.op[i];
      if (this.#isLeftOut(task)) {
        this.#leaveOut(chunk, i, first + i);
        continue;
      }
      this.#sequence = chunk.sequence[i];
      this.#flag = chunk.flags[i];
      switch (op) {
        case Op.read:
        case Op.write:
        case Op.update:
        case Op.volatileRead:
        case Op.volatileWrite:
        case Op.volatileUpdate: {
          const variable = subject as VariableRecord;
          const value = this.#recorder.values?.take(first + i) ?? null;
          const evidence = this.#recorder.evidence.take(first + i);
          if (this.#recorder.looks.take(first + i)) this.#flag |= EventFlag.unseen;
          const isWorthwhile = variable.isShared || this.#isWorthwhile(variable, by as Activation, first + i);
          // What is forgotten needs no readers.
          const isKept = isWorthwhile || variable.last !== first + i;
          this.#recorder.unnoted.leave(variable, chunk, i, first + i, isKept);
          if (!isWorthwhile) break;
          this.#takeAccess(op, task, variable, site, first + i, value, evidence);
          break;
        }
        case Op.acquire:
        case Op.release: {
          const lock = subject as LockRecord;
          this.#beginBlocks(task);
          if (lock.id < 0)
            lock.id = this.names.locks.internText(
              lock.isGlobal ? lock.name : this.#taskNames.inIsolate(lock.name),
            );
          this.#emit(op, task, lock.id, site);
          break;
        }
        case Op.send:
        case Op.receive:
        case Op.notify:
        case Op.wait: {
          const channel = subject as ChannelRecord;
          this.#beginBlocks(task);
          if (channel.id < 0) this.#messages.number(channel, this.#batch.firstEvent);
          this.#emit(op, task, channel.id, site);
          break;
        }
        case LATE_READ: {
          const object = subject as ObjectRecord;
          if (this.#isFinishing || !this.#private.isWorthwhile(object, -1, by as Activation)) {
            object.tidy();
            break;
          }
          object.makeRead?.(object, chunk.key[i]);
          this.#takeAccess(Op.read, task, chunk.subject[i] as VariableRecord, site, first + i);
          break;
        }
        case CALL:
          if (subject === null || !this.#isLeftOut(subject as Task))
            this.#takeCall(task, by as Activation, subject as Task | null);
          break;
        case Op.begin:
          this.#noteBegin(task, by as Activation);
          break;
        case Op.end:
          if ((by as Activation).begin === UNBEGUN && task.unbegun?.at(-1) === by) task.unbegun.pop();
          else {
            this.#beginBlocks(task);
            this.#emit(op, task, this.#places.label((by as Activation).site), site);
          }
          this.#private.noteEnd(by as Activation);
          this.#over.push(by as Activation);
          break;
        case Op.fork:
          if (!isNothing(subject as Task) && !this.#isLeftOut(subject as Task))
            this.#takeFork(task, subject as Task, site);
          break;
        case Op.join:
          if (!this.#isLeftOut(subject as Task)) this.#takeJoin(task, subject as Task, site);
          break;
        case FORK_SLOT:
          if ((subject as Task).state === WAITING && !this.#isFinishing) {
            this.#beginBlocks(task);
            const thread = this.#thread(subject as Task);
            this.#emit(Op.fork, task, thread.id, site);
            this.#leaving.watch(subject as Task, thread);
          }
          break;
        case BACKGROUND_SLOT:
          this.#takeBackground(task, subject as Activation);
          break;
        case REAP:
          this.#takeReap(task, subject as Task);
          break;
        case PLACE:
          this.#takePlaced(subject as Place);
          break;
        case HERE:
          this.#beginBlocks(task);
          break;
      }
    }
  }

  #isLeftOut(task: Task): boolean {
    return this.#recorder.tasks.overlap.isLeftOut(task);
  }

  #labelsLeftOut(): [string, number][] {
    return [...this.#leftOut].map(([site, count]) => [this.#sites.text(site) || ANONYMOUS, count]);
  }

  /** An entry of a task that is not in the trace. */
  #leaveOut(chunk: LogChunk, i: number, entry: number): void {
    const subject = chunk.subject[i];
    switch (chunk.op[i]) {
      case CALL:
      case Op.begin:
        this.#leftOut.set(chunk.site[i], (this.#leftOut.get(chunk.site[i]) ?? 0) + 1);
        break;
      case Op.read:
      case Op.write:
      case Op.update: {
        const variable = subject as VariableRecord;
        this.#recorder.values?.take(entry);
        this.#recorder.looks.take(entry);
        this.#recorder.unnoted.leave(variable, chunk, i, entry, variable.last !== entry);
        if (variable.last !== entry) break;
        if (variable.isShared) variable.tidy();
        else this.#forget(variable);
        break;
      }
      case LATE_READ:
        (subject as ObjectRecord).tidy();
        break;
      case PLACE:
        (subject as Place).leave();
        break;
      case Op.end:
        this.#over.push(chunk.by[i] as Activation);
        break;
    }
  }

  #takeAccess(
    op: Op,
    task: Task,
    variable: VariableRecord,
    site: number,
    entry: number,
    value: string | null = null,
    evidence: StoreEvidence | null = null,
  ): void {
    this.#beginBlocks(task);
    if (variable.id < 0) this.#number(variable);
    if (accessKind(op) === Op.write && variable.wasAbsent) this.#facts.noteAbsent(variable);
    if (value !== null) this.#facts.noteValue(variable, value);
    if (evidence !== null) this.#facts.noteEvidence(evidence);
    this.#emit(op, task, variable.id, site);
    if (variable.last === entry) {
      variable.tidy();
      forgetReaders(variable);
    }
    if (variable.parent.isLarge) this.#large.add(variable.parent);
  }

  #takeFork(task: Task, forked: Task, site: number): void {
    this.#beginBlocks(task);
    const thread = this.#thread(forked);
    this.#emit(Op.fork, task, thread.id, site);
    if (forked.state !== ENDED) this.#leaving.watch(forked, thread);
  }

  #takeJoin(task: Task, joined: Task, site: number): void {
    this.#beginBlocks(task);
    const thread = this.#thread(joined);
    this.#emit(Op.join, task, thread.id, site);
    this.#leaving.add(thread);
  }

  /** The task is over, and nobody waits for it. */
  #takeReap(reaper: Task, { thread, isJoined }: Task): void {
    if (isJoined || thread === null || thread.id < 0) return;
    this.#emit(Op.join, reaper, thread.id, 0);
    this.#leaving.add(thread);
  }

  /** Callbacks may still be registered in the call. */
  #takeBackground(task: Task, call: Activation): void {
    if (call.isOver || this.#isFinishing) return;
    this.#beginBlocks(task);
    const background = this.#recorder.callbacks.backgroundOf(call);
    this.#emit(Op.fork, task, this.#thread(background).id, call.site);
  }

  /** A call begins, in a task of its own if that is given. */
  #takeCall(task: Task, call: Activation, forked: Task | null): void {
    if (forked !== null) this.#takeFork(task, forked, call.site);
    const own = forked ?? task;
    this.#noteBegin(own, call);
    if (this.#batch.length === this.#batch.capacity) this.#flush();
    if (call.background !== null) this.#takeFork(own, call.background, call.site);
    else this.#takeBackground(own, call);
  }

  #takePlaced(place: Place): void {
    const { accesses } = place;
    place.leave();
    for (const { op, task, by, variable, site, flags, evidence, look } of accesses) {
      if (this.#batch.length === this.#batch.capacity) this.#flush();
      if (!variable.isShared && !this.#isWorthwhile(variable, by, place.entry)) continue;
      this.#beginBlocks(task);
      if (variable.id < 0) this.#number(variable);
      this.#sequence = 0;
      this.#flag = flags;
      if (look !== undefined && this.#recorder.looks.take(look)) this.#flag |= EventFlag.unseen;
      if (evidence !== null) this.#facts.noteEvidence(evidence);
      this.#emit(op, task, variable.id, site);
    }
  }

  /** A block is left out as long as nothing has happened in it: it conflicts with nothing. */
  #noteBegin(task: Task, block: Activation): void {
    this.#private.noteBegin(block);
    block.begunIn = task;
    if (block.begin !== NEEDED) block.begin = UNBEGUN;
    // No spare room for what is mostly one.
    if (task.unbegun === null) {
      task.unbegun = [block];
      task.unbegunFrom = this.#batch.firstEvent + this.#batch.length;
      return;
    }
    this.#noteLate(task);
    if (task.unbegun.push(block) === MOST_UNBEGUN) this.#beginBlocks(task);
  }

  /** Blocks of the task that have not begun are late once others have done something. */
  #noteLate(task: Task): void {
    const now = this.#batch.firstEvent + this.#batch.length;
    if (task.unbegunFrom !== now) for (const block of task.unbegun!) block.isLate = true;
    task.unbegunFrom = now;
  }

  /** Something has happened in a task, and so in all blocks of it that are open. */
  #beginBlocks(task: Task): void {
    const { unbegun } = task;
    if (unbegun === null || unbegun.length === 0) return;
    this.#noteLate(task);
    task.unbegun = null;
    if (this.#batch.length + unbegun.length >= this.#batch.capacity) this.#flush();
    const [sequence, flag] = [this.#sequence, this.#flag];
    this.#sequence = 0;
    for (const block of unbegun) {
      this.#flag = block.isLate ? EventFlag.late : 0;
      this.#emit(Op.begin, task, this.#places.label(block.site), block.site);
      block.begin = ++task.begins;
    }
    this.#sequence = sequence;
    this.#flag = flag;
  }

  /** Tells the sinks what is known beside the events. */
  noteFact(fact: FactRecord): void {
    for (const sink of this.#sinks) sink.noteFact?.(fact);
  }

  #number(variable: VariableRecord): void {
    const owner = variable.parent.owner;
    if (owner?.begin === NEEDED && owner.begunIn !== null) this.#beginBlocks(owner.begunIn);
    const text = this.#variableNames.nameOf(variable);
    const name = variable.parent.isGlobal ? text : this.#taskNames.inIsolate(text);
    variable.id = this.names.variables.add(name, this.#batch.firstEvent - LOOKED_BACK);
    this.#lives.follow(variable);
    if (!variable.isShared) this.#private.add(variable.id);
    const facts = variable.facts ?? variableFacts(variable);
    if (facts !== null) this.noteFact(['variable', name, facts]);
  }

  /** Comes from the garbage collector, between two segments: nothing is in the batch. */
  #forgetVariables(ids: readonly number[]): void {
    if (this.#isFinishing) return;
    for (const id of ids) {
      this.#private.delete(id);
      for (const sink of this.#sinks) sink.forgetVariable(id);
      this.names.variables.giveBack(id, this.#batch.firstEvent);
    }
  }

  /** Whether an access to a variable that only one task has touched may still come to matter. */
  #isWorthwhile(variable: VariableRecord, by: Activation, entry: number): boolean {
    if (!this.#isFinishing && this.#private.isWorthwhile(variable.parent, variable.id, by)) return true;
    if (variable.last === entry) this.#forget(variable);
    return false;
  }

  #forget(variable: VariableRecord): void {
    variable.parent.forget(variable);
    variable.tidy();
    forgetAllReaders(variable);
  }

  #emit(op: Op, task: Task, operand: number, site: number): void {
    const batch = this.#batch;
    this.#sequences[batch.length] = this.#sequence;
    this.#flags[batch.length] = this.#flag;
    batch.push(this.#thread(task).id, op, operand, this.#places.location(site), 0);
  }

  #flush(): void {
    // What they were called by is of no more use, and would be kept for ever in a chain of calls.
    for (const activation of this.#over) activation.caller = nearestOpen(activation.caller);
    this.#over.length = 0;
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#facts.flush();
    for (const sink of this.#sinks) sink.take(batch, this.#sequences, this.#flags);
    batch.advance();
    this.#leaving.letGo(batch.firstEvent);
    this.#messages.forget(batch.firstEvent);
  }

  #thread(task: Task): TaskThread {
    const known = task.thread;
    if (known !== null && known.id >= 0) return known;
    task.name ??= this.#taskNames.threadOf(task);
    const thread = new TaskThread(this.names.threads.add(task.name, this.#batch.firstEvent - LOOKED_BACK));
    task.thread = thread;
    const facts = taskFacts(task);
    if (facts !== null) this.noteFact(['task', task.name, facts]);
    return thread;
  }
}
