import { Op } from '../../trace/operation.ts';
import { Activation, CALLBACK } from '../core/activation.ts';
import { nearestOpen } from '../core/ancestry.ts';
import { RUNNING, Task, WAITING } from '../core/task.ts';
import { noteCallback } from './requests.ts';
import { Tasks } from './tasks.ts';

/** The program may replace its own one, and the runtime does. */
const { queueMicrotask } = globalThis;

/** What the event loop runs: callbacks, and the code of modules. */
export class CallbackTasks extends Tasks {
  /** The code of modules, which runs in the task `main`. */
  protected readonly main = new Activation(CALLBACK, new Task('main'), null, 0);

  /** What callbacks belong to of which nobody knows where they were registered. */
  protected home: Activation | null = null;

  /** Something runs of which nobody has said what it is: a callback or, after an `await` of a module, the module. */
  protected enterUnknown(): Activation {
    const registeredIn = this.registeredIn() ?? this.home;
    const thenable = registeredIn?.thenable ?? null;
    if (registeredIn !== null && thenable?.state === WAITING)
      return this.#enterThenable(thenable, registeredIn);
    return this.enterCallback(registeredIn === this.main ? 'main' : 'callback', registeredIn);
  }

  /** The `then` of what an activation waits for: it was forked there. */
  #enterThenable(task: Task, waiting: Activation): Activation {
    const activation = this.startCallback(task, waiting);
    this.#endLater(activation);
    return activation;
  }

  #endLater(activation: Activation): void {
    queueMicrotask(() => {
      if (this.current === activation) this.endCallback(activation);
    });
  }

  /** Starts a task for code that the event loop runs. It ends with the callback that is running now. */
  enterCallback(kind: string, registeredIn: Activation | null): Activation {
    const task = new Task(kind);
    const parent = nearestOpen(registeredIn);
    if (parent !== null) this.#forkInBackground(parent, task);
    const activation = this.startCallback(task, parent);
    noteCallback(activation);
    this.#endLater(activation);
    return activation;
  }

  /** A module begins: unless something else is running, its code is the program's own. */
  enterMain(): void {
    if (this.current !== null) return;
    this.become(this.main);
    queueMicrotask(() => {
      if (this.current === this.main) this.endCallback(this.main);
    });
  }

  /** A module waits at its top level. */
  suspendMain(awaiting: readonly Task[] | null, awaitsAll: boolean): void {
    const main = this.main;
    main.awaiting = awaiting;
    main.awaitsAll = awaitsAll;
    this.epoch++;
    this.endSegment();
  }

  /** It goes on, in the task `main`. */
  resumeMain(): void {
    if (this.current === this.main) return;
    this.resume(this.main);
    queueMicrotask(() => {
      if (this.current === this.main) this.endCallback(this.main);
    });
  }

  /** Whether the code of a module is running, outside of every function that was called later. */
  get isAtTopLevel(): boolean {
    return this.current === this.main;
  }

  /** Begins to run a callback in its task; whoever calls this has to end it. */
  startCallback(task: Task, parent: Activation | null): Activation {
    const activation = new Activation(CALLBACK, task, nearestOpen(parent), 0);
    activation.outer = null;
    activation.isSuspended = true;
    task.root ??= activation;
    this.become(activation);
    return activation;
  }

  /**
   * Logs what was done for an activation that is waiting for it. If that is over, or not known, it was a task of its own that
   * did it, started by what registered it.
   */
  onBehalf(activation: Activation | null, registeredIn: Activation | null, log: () => void): void {
    const { current } = this;
    if (activation !== null && current === activation) {
      log();
      return;
    }
    this.epoch++;
    if (activation === null || activation.isOver) {
      const task = new Task('statement');
      const parent = nearestOpen(activation ?? registeredIn);
      if (parent !== null) this.#forkInBackground(parent, task);
      const started = new Activation(CALLBACK, task, parent, 0);
      started.outer = null;
      started.isSuspended = true;
      task.root = started;
      this.current = started;
      log();
      this.end(started);
    } else {
      this.current = activation;
      log();
    }
    this.current = current;
    this.epoch++;
    // Whoever goes on because of it does so later: nothing of the program has run in this segment.
    if (current === null) {
      this.segment++;
      this.segmentStart = this.log.next;
    }
  }

  /** What has called a driver back, such as a parser of its own, is over when it calls the program. */
  override inContextOf<T>(activation: Activation | null, run: () => T): T {
    if (this.current !== activation) this.endStale();
    return super.inContextOf(activation, run);
  }

  /** A callback that is over, but whose end has not been noticed. */
  endStale(): void {
    if (this.current !== null && this.current.kind === CALLBACK) this.endCallback(this.current);
  }

  /** The callback has returned, and waits for nothing but what it called last if that `isAwaited`. */
  endCallback(activation: Activation, isAwaited = false): void {
    if (activation.undecided !== null) {
      if (isAwaited) this.nest(activation, 0);
      else this.forkUndecided(activation);
    }
    if (activation.child !== null) activation.hasReturned = true;
    else if (activation !== this.main) this.end(activation);
    this.epoch++;
    this.endSegment();
  }

  /**
   * Where a callback was registered is not known, only in which activation. So it is forked by a task that was forked
   * at the begin of that: it belongs to the same blocks, and is ordered after nothing that it may have come before.
   */
  #forkInBackground(parent: Activation, task: Task): void {
    let open: Activation | null = parent;
    while (open !== null && open.backgroundSlot < 0) open = nearestOpen(open.caller);
    if (open === null) return;
    const background = this.backgroundOf(open);
    task.forkedAt = this.log.push(Op.fork, background, null, task, 0);
  }

  backgroundOf(activation: Activation): Task {
    if (activation.background !== null) return activation.background;
    const background = new Task('callbacks');
    background.state = RUNNING;
    background.forkedAt = activation.backgroundSlot;
    activation.background = background;
    this.log.become(activation.backgroundSlot, Op.fork, background);
    return background;
  }
}
