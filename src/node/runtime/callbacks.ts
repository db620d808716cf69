import { Op } from '../../trace/operation.ts';
import { Activation, CALLBACK } from '../core/activation.ts';
import { nearestOpen } from '../core/ancestry.ts';
import { RUNNING, Task, WAITING } from '../core/task.ts';
import { forkGivenAway, isOneEntry, putInLog } from './calls-in-log.ts';
import type { Behind } from './promises.ts';
import { IncomingRequest, registeredIn, requestFor } from './requests.ts';
import type { Tasks } from './tasks.ts';

/** The program may replace its own one, and the runtime does. */
const { queueMicrotask } = globalThis;

/** What the event loop runs: callbacks, and the code of modules. */
export class Callbacks {
  readonly #tasks: Tasks;
  /** The code of modules, which runs in the task `main`. */
  readonly main = new Activation(CALLBACK, new Task('main'), null, 0);

  /** What callbacks belong to of which nobody knows where they were registered. */
  home: Activation | null = null;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  /** Whether what is running has to do with code that was instrumented. */
  get isInProgram(): boolean {
    return this.#tasks.current !== null || this.registeredIn() !== null;
  }

  registeredIn(): Activation | null {
    return registeredIn(this.#tasks.context.getStore());
  }

  /** Runs what is no part of the program, nor what it leads to later. */
  outside<T>(run: () => T): T {
    const tasks = this.#tasks;
    const { current } = tasks;
    tasks.current = null;
    try {
      return tasks.context.run(null, run);
    } finally {
      tasks.current = current;
    }
  }

  /** Runs a callback of a library as if this activation had registered it. What has called the library back is over by then. */
  inContextOf<T>(activation: Activation | null, run: () => T): T {
    if (this.#tasks.current !== activation) this.endStale();
    return this.#tasks.context.run(activation, run);
  }

  /** Something runs of which nobody has said what it is: a callback or, after an `await` of a module, the module. */
  enterUnknown(): Activation {
    const registeredIn = this.registeredIn() ?? this.home;
    const thenable = registeredIn?.thenable ?? null;
    if (registeredIn !== null && thenable?.state === WAITING)
      return this.#enterThenable(thenable, registeredIn);
    return this.enter(registeredIn === this.main ? 'main' : 'callback', registeredIn);
  }

  /** The `then` of what an activation waits for: it was forked there. */
  #enterThenable(task: Task, waiting: Activation): Activation {
    const activation = this.start(task, waiting);
    this.#endLater(activation);
    return activation;
  }

  #endLater(activation: Activation): void {
    this.#tasks.context.afterwards(() => {
      if (this.#tasks.current === activation) this.end(activation);
    });
  }

  /** Starts a task for code that the event loop runs. It ends with the callback that is running now. */
  enter(kind: string, registeredIn: Activation | null): Activation {
    const task = new Task(kind);
    const parent = nearestOpen(registeredIn);
    if (parent !== null) this.#forkInBackground(parent, task);
    const store = this.#tasks.context.getStore();
    const request = requestFor(store);
    if (store instanceof IncomingRequest) task.adoptedBy = store.call;
    const activation = this.start(task, parent);
    activation.request = request;
    // A callback that has registered another one is over when that runs.
    if (registeredIn?.kind === CALLBACK && registeredIn.isOver && parent !== null)
      this.#tasks.join(activation, [registeredIn.task], false);
    this.#endLater(activation);
    return activation;
  }

  /** A module begins: unless something else is running, its code is the program's own. */
  enterMain(): void {
    if (this.#tasks.current !== null) return;
    this.#tasks.become(this.main);
    queueMicrotask(() => {
      if (this.#tasks.current === this.main) this.end(this.main);
    });
  }

  /** A module waits at its top level. */
  suspendMain(behind: Behind | null): void {
    const { main } = this;
    main.awaiting = behind?.tasks ?? null;
    main.awaitsAll = behind?.areAll ?? false;
    this.#tasks.newEpoch();
    this.#tasks.endSegment();
  }

  /** It goes on, in the task `main`. */
  resumeMain(): void {
    if (this.#tasks.current === this.main) return;
    this.#tasks.resume(this.main);
    queueMicrotask(() => {
      if (this.#tasks.current === this.main) this.end(this.main);
    });
  }

  /** Whether the code of a module is running, outside of every function that was called later. */
  get isAtTopLevel(): boolean {
    return this.#tasks.current === this.main;
  }

  /** Begins to run a callback in its task; whoever calls this has to end it. */
  start(task: Task, parent: Activation | null): Activation {
    const activation = new Activation(CALLBACK, task, nearestOpen(parent), 0);
    activation.outer = null;
    activation.isSuspended = true;
    if (parent !== null) activation.links = parent.links + 1;
    this.#tasks.overlap.begin(activation, task.held);
    if (task.held !== null) this.#tasks.overlap.release(task);
    task.root ??= activation;
    task.span ??= activation.span;
    this.#tasks.become(activation);
    return activation;
  }

  /**
   * Logs what was done for an activation that is waiting for it. If that is over, or not known, it was a task of its own that
   * did it, started by what registered it.
   */
  onBehalf(activation: Activation | null, registeredIn: Activation | null, log: () => void): void {
    const { current } = this.#tasks;
    if (activation !== null && current === activation) {
      log();
      return;
    }
    this.#tasks.newEpoch();
    if (activation === null || activation.isOver) {
      const task = new Task('statement');
      const parent = nearestOpen(activation ?? registeredIn);
      if (parent !== null) this.#forkInBackground(parent, task);
      const started = new Activation(CALLBACK, task, parent, 0);
      started.outer = null;
      started.isSuspended = true;
      task.root = started;
      this.#tasks.overlap.keep(started);
      this.#tasks.current = started;
      log();
      this.#tasks.end(started);
    } else {
      this.#tasks.current = activation;
      log();
    }
    this.#tasks.current = current;
    this.#tasks.newEpoch();
    // Whoever goes on because of it does so later: nothing of the program has run in this segment.
    if (current === null) {
      this.#tasks.segment++;
      this.#tasks.segmentStart = this.#tasks.log.next;
    }
  }

  /** A callback that is over, but whose end has not been noticed. */
  endStale(): void {
    if (this.#tasks.current !== null && this.#tasks.current.kind === CALLBACK) this.end(this.#tasks.current);
  }

  /** The callback has returned, and waits for nothing but what it called last if that `isAwaited`. */
  end(activation: Activation, isAwaited = false): void {
    forkGivenAway(this.#tasks.log, activation);
    if (activation.undecided !== null) {
      if (isAwaited) this.#tasks.nest(activation, 0);
      else this.#tasks.forkUndecided(activation);
    }
    if (activation.child !== null) activation.hasReturned = true;
    else if (activation !== this.main) this.#tasks.end(activation);
    this.#tasks.newEpoch();
    this.#tasks.endSegment();
  }

  /** A callback is over that another task has called, which goes on now. */
  goBack(activation: Activation, caller: Activation): void {
    const tasks = this.#tasks;
    if (activation.undecided !== null) tasks.forkUndecided(activation);
    forkGivenAway(tasks.log, activation);
    if (activation.child !== null) activation.hasReturned = true;
    else tasks.end(activation);
    tasks.become(caller);
  }

  /**
   * Where a callback was registered is not known, only in which activation. So it is forked by a task that was forked
   * at the begin of that: it belongs to the same blocks, and is ordered after nothing that it may have come before.
   */
  #forkInBackground(parent: Activation, task: Task): void {
    if (!parent.isLogged) putInLog(this.#tasks, parent);
    let open: Activation | null = parent;
    while (open !== null && open.backgroundSlot < 0) open = nearestOpen(open.caller);
    if (open === null) return;
    const background = this.backgroundOf(open);
    task.forkedBy = open;
    task.forkedAt = this.#tasks.log.push(Op.fork, background, null, task, 0);
  }

  backgroundOf(activation: Activation): Task {
    if (activation.background !== null) return activation.background;
    const background = new Task('callbacks');
    background.state = RUNNING;
    background.span = activation.span;
    background.forkedBy = activation;
    background.forkedAt = activation.backgroundSlot;
    activation.background = background;
    if (!isOneEntry(activation)) this.#tasks.log.become(activation.backgroundSlot, Op.fork, background);
    return background;
  }
}
