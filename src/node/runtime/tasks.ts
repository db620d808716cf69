import { Op } from '../../trace/operation.ts';
import {
  Activation,
  type ActivationKind,
  CONTINUING,
  GENERATOR,
  MARKED,
  moveWaiting,
  noteRecent,
  takeOut,
  waitingChain,
} from '../core/activation.ts';
import { outermost } from '../core/ancestry.ts';
import { beIdle, noteOver } from '../core/idle-tasks.ts';
import { CALL, FORK_SLOT, HERE, Log, REAP } from '../core/log.ts';
import { Overlap } from '../core/overlap.ts';
import { ENDED, RUNNING, Task, WAITING } from '../core/task.ts';
import type { Isolate } from '../isolates/isolate.ts';
import { Arrivals } from './arrivals.ts';
import { type AsyncContext, makeAsyncContext } from './async-context.ts';
import { forkGivenAway, forkOutlived, isOneEntry, putInLog } from './calls-in-log.ts';
import { moveCounted, noteStarted } from './counted.ts';
import { hasReturnedHandover, noteWake, takePartWaits, takeWait } from './handover.ts';
import { freeLock } from './locks/free-lock.ts';
import type { Behind } from './promises.ts';
import { relabel } from './relabelling.ts';
import { noteHandler, type Registered } from './requests.ts';
import { ServedActivations } from './served.ts';
import { isAwaitedByMany, noteJoined } from './single-flight.ts';
import { SiteCache } from './site-cache.ts';
import type { TaskHooks } from './task-hooks.ts';
import type { Alone } from './turns/alone.ts';

/** So many accesses that add nothing take as long as one that is logged. */
const REPEATED = 4;

/** When this many events have been logged without a break, calls that are not decided are taken for forks. */
const LONGEST_SEGMENT = 1 << 16;

/** Knows which task is running, and which forks and joins which: docs/explanation/javascript-internals.md says how. */
export class Tasks {
  /** The activation whose code is running; null in the event loop. */
  current: Activation | null = null;
  /** Counts what runs without interruption. */
  segment = 0;
  /** The first entry of the log that belongs to it. */
  segmentStart = 0;
  /** How many accesses of it were logged; so many others as there are to one that counts add nothing, and take their time. */
  busy = 0;
  #repeated = 0;
  /** Changes whenever `current` does, and when it has learned something: see `Recorder.access`. */
  epoch = 1;
  /** What was read and written in this epoch, by place. */
  readonly reads = new SiteCache();
  readonly writes = new SiteCache();
  readonly log = new Log();
  readonly overlap: Overlap;
  readonly served = new ServedActivations();
  /** For proofs: a call that is to run by itself. */
  alone: Alone | null = null;
  /** Whether calls are in the trace in which nothing happens, so that the second call of a function is the second in there. */
  isComplete = false;
  /** This one among the isolates of the program; null as long as the program has had no worker. */
  isolate: Isolate | null = null;
  readonly arrivals = new Arrivals();
  /** The activation in which a callback was registered, or what it works for. */
  readonly context: AsyncContext<Registered> = makeAsyncContext();
  readonly #reaper = new Task('reaper');
  readonly #hooks: TaskHooks;
  /** Somebody is going to look into the log. */
  readonly logPutOff: () => void;
  readonly makeReads: TaskHooks['makeReads'];

  /** `leftOutFrom`: from which entry of the log on tasks are left out that can be part of no cycle. */
  constructor(hooks: TaskHooks, leftOutFrom: number) {
    this.#hooks = hooks;
    this.overlap = new Overlap(this.log, leftOutFrom);
    this.logPutOff = hooks.logPutOff;
    this.makeReads = hooks.makeReads;
    this.#reaper.state = RUNNING;
  }

  /** There was an access that need not be logged, as one like it is. */
  noteRepeated(): void {
    if (++this.#repeated < REPEATED) return;
    this.#repeated = 0;
    this.busy++;
  }

  /** From here on, what was done before is worth an event again. */
  newEpoch(): number {
    this.reads.clear();
    this.writes.clear();
    return ++this.epoch;
  }

  /** The activation whose next event is to be logged: what was not decided before that is decided now. */
  acting(): Activation {
    const activation = this.#running();
    if (!activation.isLogged) putInLog(this, activation);
    return activation;
  }

  /** The same, but nothing of it is to be logged yet. */
  #running(): Activation {
    if (this.log.length > LONGEST_SEGMENT) {
      this.decideAll();
      this.#hooks.segmentEnded();
    }
    const activation = this.current ?? this.#hooks.enterUnknown();
    if (activation.undecided !== null) this.forkUndecided(activation);
    if (activation.task.state !== RUNNING) this.#start(activation);
    return activation;
  }

  // ---- Activations ---------------------------------------------------------------------------------------------

  /** A call begins; it is a block of the trace unless it is not meant to be. */
  enter(kind: ActivationKind, site: number, isMeant = true): Activation {
    const caller = this.#running();
    const activation = new Activation(kind, caller.task, caller, site, isMeant);
    activation.startedIn = this.segment;
    noteStarted(caller, site, this.segment);
    noteHandler(activation, caller);
    if (this.alone !== null && isMeant && activation.isBlock) this.alone.begun(activation);
    if (kind === GENERATOR) caller.asked = activation;
    activation.isLogged = false;
    if (kind === CONTINUING && isMeant) activation.mayBeBlock = true;
    if (this.isComplete && activation.isBlock) {
      putInLog(this, activation);
      this.log.push(HERE, activation.task, activation, null, site);
    }
    this.become(activation);
    return activation;
  }

  /** The activation waits for something, which may stand for tasks. */
  suspend(activation: Activation, behind: Behind | null): void {
    activation.awaiting = behind?.tasks ?? null;
    activation.awaitsAll = behind?.areAll ?? false;
    this.leave(activation);
  }

  /** It goes on. */
  resume(activation: Activation): void {
    if (this.current === activation) return;
    this.#hooks.endStale();
    this.become(activation);
    const { child, awaiting, awaited, thenable } = activation;
    if (thenable !== null) {
      activation.thenable = null;
      if (thenable.state === WAITING) {
        thenable.state = ENDED;
        this.overlap.giveUp(thenable);
      }
    }
    activation.child = null;
    activation.awaiting = null;
    activation.awaited = null;
    if (awaited !== null && isAwaitedByMany(awaited)) noteJoined(activation, undefined);
    if (child !== null && !child.isOver) this.#outlive(child);
    if (awaiting !== null) this.join(activation, awaiting, activation.awaitsAll);
    const wait = takeWait(activation);
    if (wait !== null) {
      noteWake(activation, wait);
      const { started } = wait.handover;
      this.served.add(wait.handover, activation, wait.site);
      if (started !== null) this.join(activation, [started], false);
    }
    const several = takePartWaits(activation);
    for (const part of several?.parts ?? []) this.served.add(part, activation, several?.site ?? 0);
  }

  /** Its code is over, by returning or by throwing. */
  exit(activation: Activation): void {
    this.resume(activation);
    if (activation.undecided !== null) this.forkUndecided(activation);
    if (activation.child === null && !hasReturnedHandover(activation)) this.end(activation);
    else activation.hasReturned = true;
    this.leave(activation);
  }

  /** Gives control back to who called; the first time that is the program, later the event loop. */
  leave(activation: Activation): void {
    this.newEpoch();
    if (activation.isSuspended) {
      this.endSegment();
      return;
    }
    activation.isSuspended = true;
    const { caller } = activation;
    this.current = caller;
    this.context.enterWith(caller);
    if (caller !== null && activation.isCall) {
      caller.answered = activation.isOver ? activation : null;
      if (!activation.isOver && activation.task.root !== activation) {
        caller.undecided = activation;
        return;
      }
      if (!activation.isOver) noteRecent(caller, activation.task);
    }
    activation.promise = null;
  }

  endSegment(): void {
    this.current = null;
    this.segment++;
    this.#hooks.segmentEnded();
    this.segmentStart = this.log.next;
    this.busy = 0;
  }

  /** What was called last is awaited at once, at this site, and so in the task of its caller. */
  nest(activation: Activation, site: number): void {
    const child = activation.undecided;
    if (child === null) return;
    activation.undecided = null;
    child.promise = null;
    activation.child = child;
    child.calledAt = site;
  }

  /** Gives up control without waiting for anything; goes on at once. */
  pause(activation: Activation): void {
    if (activation.undecided !== null) this.forkUndecided(activation);
  }

  /** An async generator hands a value to who asked for it, or is over. */
  leaveGenerator(generator: Activation): void {
    if (generator.undecided !== null) this.forkUndecided(generator);
    if (generator.caller?.asked === generator) generator.caller.asked = null;
    this.leave(generator);
  }

  /** Whoever asks an async generator for a value runs it. */
  reenter(generator: Activation): void {
    const caller = this.#running();
    if (caller === generator) return;
    generator.isLogged = caller.isLogged;
    takeOut(generator, caller);
    caller.asked = generator;
    generator.caller = caller;
    generator.outer = caller;
    generator.task = caller.task;
    generator.span = caller.span;
    generator.isSuspended = false;
    this.become(generator);
  }

  become(activation: Activation): void {
    this.current = activation;
    this.newEpoch();
    this.context.enterWith(activation);
    if (!this.arrivals.isEmpty) this.#hooks.hear();
  }

  /** Ends the block, and those that were only waiting for it. */
  end(activation: Activation): void {
    for (let ending: Activation | null = activation; ending !== null; ) {
      if (ending.isBlock && ending.isLogged && ending.task.state === RUNNING)
        this.log.push(Op.end, ending.task, ending, null, ending.site);
      ending.isOver = true;
      if (ending.isGoing) this.overlap.leave(ending);
      if (ending.background !== null) this.#endTask(ending.background);
      const { task }: Activation = ending;
      if (task.root === ending) this.#endTask(task);
      const outer: Activation | null = ending.outer;
      if (outer === null || !outer.hasReturned || outer.child !== ending) return;
      outer.child = null;
      ending = outer;
    }
  }

  #endTask(task: Task): void {
    if (task.state === RUNNING) {
      for (const lock of task.locks ?? []) if (lock.holder === task) freeLock(this, lock);
      this.log.push(REAP, this.#reaper, null, task, 0);
    }
    task.state = ENDED;
    task.locks = null;
    if (task.held !== null) this.overlap.release(task);
    if (task.idle !== null) noteOver(task);
  }

  // ---- Forks and joins -----------------------------------------------------------------------------------------

  /** What was called last is not awaited at once: it is a task of its own, from its begin on. */
  forkUndecided(activation: Activation): void {
    const child = activation.undecided;
    if (child === null) return;
    activation.undecided = null;
    child.promise = null;
    noteRecent(activation, this.#fork(child));
  }

  #fork(child: Activation): Task {
    const task = new Task('');
    task.root = child;
    task.state = RUNNING;
    this.overlap.begin(child);
    task.span = child.span;
    task.forkedBy = child.caller;
    if (child.isLogged) {
      relabel(this.log, this.overlap, this.segment, child.slot, child.task, task, child);
      this.log.become(child.slot, isOneEntry(child) ? CALL : Op.fork, task);
    } else {
      const caller = child.caller as Activation;
      if (!caller.isLogged) putInLog(this, caller);
      child.slot = this.log.push(Op.fork, caller.task, caller, task, child.site);
    }
    task.forkedAt = child.slot;
    moveWaiting(child, task);
    const block = outermost(child);
    if (block !== child) moveCounted(block, child);
    child.outer = null;
    this.newEpoch();
    return task;
  }

  /** Whether of every call it is known that it is a task of its own, or that it is not. */
  get isDecided(): boolean {
    for (let running = this.current; running !== null && !running.isSuspended; running = running.caller)
      if (running.undecided !== null || (running.isCall && running.task.root !== running)) return false;
    return this.current === null || this.current.undecided === null;
  }

  /** Forks the calls that are running for the first time, outermost first, so that the log can be handed over. */
  decideAll(): void {
    const running: Activation[] = [];
    let activation = this.current;
    if (activation !== null) this.forkUndecided(activation);
    for (; activation !== null && !activation.isSuspended; activation = activation.caller) {
      if (activation.undecided !== null) this.forkUndecided(activation);
      if (activation.isCall && activation.task.root !== activation) running.push(activation);
    }
    for (let i = running.length - 1; i >= 0; i--) {
      const old = running[i].task;
      const task = this.#fork(running[i]);
      for (let inner = 0; inner < i; inner++) if (running[inner].task === old) running[inner].task = task;
    }
  }

  /**
   * Ends all blocks that have led here: a thread is about to be started, which goes its own way. Whoever starts it and
   * waits for it is not meant to be one with all that it does, unless the program says so.
   */
  endBlocks(): void {
    this.decideAll();
    for (let open = this.current; open !== null; open = open.caller) {
      if (!open.isBlock || open.isOver) continue;
      if (open.kind === MARKED) break;
      if (open.isLogged && open.task.state === RUNNING)
        this.log.push(Op.end, open.task, open, null, open.site);
      open.isBlock = false;
    }
    this.newEpoch();
  }

  /** The caller of a nested activation goes on though that is not over. */
  #outlive(child: Activation): void {
    const chain = waitingChain(child);
    if (child.lastsUntilAwaited && chain.length === 1) {
      this.end(child);
      return;
    }
    forkOutlived(this, child, chain);
  }

  /** Joins those of the tasks that are over; a promise that was awaited is settled, and so is what made it. */
  join(activation: Activation, tasks: readonly Task[], areSettled: boolean): void {
    for (const task of tasks) {
      const { root } = task;
      if (areSettled && root?.lastsUntilAwaited && root.child === null && !root.isOver) this.end(root);
      if (task.state !== ENDED || task.forkedAt < 0 || task === activation.task) continue;
      const { task: joining } = this.acting();
      this.log.push(Op.join, joining, activation, task, activation.site);
      task.isJoined = true;
      this.newEpoch();
    }
  }

  /** It is going to go on in a callback, and so is a block from its begin on; false if that has left the log. */
  beBlock(activation: Activation): boolean {
    if (!activation.isLogged) putInLog(this, activation);
    const { beginSlot } = activation;
    if (beginSlot >= 0 && !activation.hasReturned && this.log.become(beginSlot, Op.begin, null)) {
      this.alone?.begun(activation);
      activation.isBlock = true;
      activation.beginSlot = -1;
    }
    return activation.isBlock;
  }

  /** Its code is over, but it goes on in callbacks: a task of its own. */
  goOnLater(activation: Activation): void {
    this.resume(activation);
    if (activation.undecided !== null) this.forkUndecided(activation);
    forkGivenAway(this.log, activation);
    activation.hasReturned = true;
    this.leave(activation);
    if (this.current !== null) this.forkUndecided(this.current);
  }

  /** Nobody is ever going to wait for the promise of this activation. */
  abandon(activation: Activation): void {
    if (!activation.isOver && activation.child === null) this.end(activation);
  }

  /** A task that is going to be run later; it is forked here if it is ever started. */
  reserve(kind: string, site: number, isLater = false): Task {
    const activation = this.acting();
    const task = this.#taskOf(kind, activation, isLater);
    task.forkedAt = this.log.push(FORK_SLOT, activation.task, activation, task, site);
    return task;
  }

  /** The same for a callback of the event loop: to give it away is nothing that a callback has done. */
  reserveCallback(kind: string, isLater: boolean): Task {
    const activation = this.acting();
    const { task: by } = activation;
    const task = this.#taskOf(kind, activation, isLater);
    const { idle } = by;
    by.idle = null;
    task.forkedAt = this.log.push(FORK_SLOT, by, activation, task, 0);
    by.idle = idle;
    beIdle(task, by);
    return task;
  }

  #taskOf(kind: string, activation: Activation, isLater: boolean): Task {
    const task = new Task(kind);
    task.span = activation.span;
    task.forkedBy = activation;
    this.overlap.hold(task, activation, isLater);
    return task;
  }

  /** It is never going to be started: nothing in the trace tells of it. */
  giveUp(task: Task): void {
    if (task.state !== WAITING) return;
    task.state = ENDED;
    task.forkedAt = -1;
    this.overlap.giveUp(task);
  }

  #start(activation: Activation): void {
    let { task } = activation;
    if (task.state === ENDED) {
      // A generator whose consumer is gone, or a callback that is called again.
      task = new Task(task.kind);
      task.root = activation;
      task.span = activation.span;
      activation.task = task;
      activation.outer = null;
      this.newEpoch();
    }
    if (task.forkedAt >= 0) this.log.become(task.forkedAt, Op.fork, task);
    task.state = RUNNING;
  }
}
