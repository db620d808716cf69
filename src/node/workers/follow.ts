import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type Worker, type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../trace/operation.ts';
import { SLOT } from '../core/log.ts';
import type { Task } from '../core/task.ts';
import type { Isolate } from '../isolates/isolate.ts';
import { MOST_ISOLATES, Region, WORKERS } from '../isolates/region.ts';
import { EXPOSING_ARGUMENTS } from '../loader/own-arguments.ts';
import type { ProgramOptions } from '../loader/program-options.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import type { Runtime } from '../runtime/index.ts';
import { define, dressed, standsFor } from '../support/patching.ts';
import { quietly } from '../support/quietly.ts';
import { askFor } from './asking.ts';
import { finishChecker, startChecker } from './checker-link.ts';
import type { Messages } from './messages.ts';
import { noteThread, showThreadIds, withProgramIds } from './thread-ids.ts';
import { Waiting } from './waiting.ts';
import { workerCode } from './worker-code.ts';
import { BOOT, START_KEY, type WorkerStart, workerName } from './worker-start.ts';

/** The program's own are replaced. */
const { add, compareExchange } = Atomics;

const { setEnvironmentData } = threads;

const LISTENING = ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'];

/** A worker that is followed. */
interface Followed {
  readonly index: number;
  readonly number: number;
  readonly task: Task;
}

export interface FollowOptions {
  runtime: Runtime;
  messages: Messages;
  program: ProgramOptions;
  /** For workers that are made of text. */
  transformer: SourceTransformer;
  /** Called with the file of a worker that is about to be made. */
  prepare(file: string): void;
}

/** Follows the workers that this isolate makes. */
export class WorkerFollower {
  readonly #runtime: Runtime;
  readonly #messages: Messages;
  readonly #program: ProgramOptions;
  readonly #transformer: SourceTransformer;
  readonly #prepare: (file: string) => void;
  readonly #followed = new WeakMap<Worker, Followed>();
  readonly #waiting: Waiting;
  readonly #MakeWorker: typeof Worker = threads.Worker;
  /** Whether it was said that there are too many. */
  #hasWarned = false;

  constructor({ runtime, messages, program, transformer, prepare }: FollowOptions) {
    this.#runtime = runtime;
    this.#messages = messages;
    this.#program = program;
    this.#transformer = transformer;
    this.#prepare = prepare;
    this.#waiting = new Waiting(runtime.recorder);
  }

  /** From here on, workers that are made run with our hooks. */
  patch(): void {
    const follower = this;
    const MakeWorker = this.#MakeWorker;
    const { prototype } = MakeWorker;
    const patched: typeof Worker = new Proxy(MakeWorker, {
      construct(_target, args, newTarget) {
        const made = newTarget === patched ? MakeWorker : newTarget;
        return follower.#make(args, (values) => Reflect.construct(MakeWorker, values, made) as Worker);
      },
    });
    standsFor(patched, MakeWorker);
    replaceHidden(prototype, 'constructor', patched);
    this.#waiting.watch(prototype, LISTENING, 'exit');
    const { emit, terminate } = prototype;
    const emitting = function (this: Worker, ...values: Parameters<typeof emit>) {
      // An error that nobody listens for shows the stack from here: the fewer frames of ours, the more of it is seen.
      if (values[0] === 'error') return Reflect.apply(emit, this, values);
      const run = () => withProgramIds(this, () => Reflect.apply(emit, this, values));
      return values[0] === 'exit' ? follower.#ended(this, run) : run();
    };
    const terminating = function (this: Worker, ...values: []) {
      follower.#ask(this);
      return Reflect.apply(terminate, this, values);
    };
    replaceHidden(prototype, 'emit', dressed(emitting, emit));
    replaceHidden(prototype, 'terminate', dressed(terminating, terminate));
    showThreadIds(
      () => this.#runtime.recorder.tasks.isolate?.region ?? null,
      (worker) => this.#followed.get(worker)?.number,
    );
    threads.Worker = patched;
    syncBuiltinESMExports();
  }

  /** For the main isolate, when all of its own is handed over: completes the trace. */
  finish(): void {
    const isolate = this.#runtime.recorder.tasks.isolate;
    if (isolate === null) return;
    const others = Array.from({ length: MOST_ISOLATES - 1 }, (_, i) => i + 1);
    askFor(isolate.region, others);
    finishChecker(isolate.region);
  }

  #make(args: unknown[], construct: (args: unknown[]) => Worker): Worker {
    const [filename, options] = args as [unknown, WorkerOptions | undefined];
    // Node will say that this is wrong.
    if (options?.execArgv !== undefined && !Array.isArray(options.execArgv)) return construct(args);
    const { recorder } = this.#runtime;
    const isFirst = recorder.tasks.isolate === null;
    const isolate = recorder.tasks.isolate ?? this.#connect();
    const { region } = isolate;
    const index = region.admit(isolate.index);
    if (index < 0) {
      this.#warn();
      return construct(args);
    }
    const number = add(region.header, WORKERS, 1) + 1;
    const name = workerName(number, options?.name);
    this.#runtime.sharedMemory.units.endAll();
    const { task, entry } = recorder.messages.forkWorker(name, this.#runtime.callSite());
    const channel = this.#messages.newChannel();
    const { given, file, text, dataUrl } = workerCode(filename, options, this.#transformer);
    const start: WorkerStart = {
      file,
      text,
      dataUrl,
      execArgv: [...(options?.execArgv ?? process.execArgv)],
      region: region.buffer,
      sharedState: this.#runtime.sharedMemory.buffer(),
      index,
      number,
      name,
      channel,
      ports: this.#messages.leavingIn(options?.transferList === undefined ? null : options.workerData),
      program: this.#program,
    };
    if (file !== null) this.#prepare(file);
    setEnvironmentData(START_KEY, start as never);
    try {
      const worker = quietly(() => withBoot(options, (extended) => construct([given, extended])));
      noteThread(region, index, number, worker.threadId);
      this.#followed.set(worker, { index, number, task });
      this.#messages.followWorker(worker, name, channel);
      return worker;
    } catch (error) {
      if (wasNoThread(error)) compareExchange(region.header, WORKERS, number, number - 1);
      region.end(index);
      recorder.tasks.log.become(entry, SLOT, null);
      throw error;
    } finally {
      setEnvironmentData(START_KEY, undefined as never);
      // After the program's own, which so has the number of a thread that it would have without us.
      if (isFirst) this.#startChecker(isolate);
    }
  }

  /** The program gets its first worker. */
  #connect(): Isolate {
    const region = new Region();
    const isExact = this.#program.order === 'exact';
    this.#messages.connect(region);
    return this.#runtime.connect({ region, index: region.admit(-1), isExact });
  }

  #startChecker({ region }: Isolate): void {
    startChecker(this.#MakeWorker, region, {
      spool: this.#program.spool,
    });
  }

  #ended(worker: Worker, run: () => boolean): boolean {
    const followed = this.#followed.get(worker);
    const { recorder } = this.#runtime;
    if (followed === undefined || recorder.tasks.isolate === null) return run();
    recorder.tasks.isolate.region.end(followed.index);
    const waiting = this.#waiting.take(worker);
    return recorder.messages.deliver('exit', { op: Op.join, subject: followed.task }, waiting, run);
  }

  /** The worker is about to be ended. */
  #ask(worker: Worker): void {
    const followed = this.#followed.get(worker);
    const isolate = this.#runtime.recorder.tasks.isolate;
    if (followed !== undefined && isolate !== null) askFor(isolate.region, [followed.index]);
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    writeSync(
      2,
      `trackside: warning: more than ${MOST_ISOLATES - 1} workers at a time: the others run unwatched\n`,
    );
  }
}

/**
 * A worker takes over the arguments that Node itself was started with, our hooks among them, which it gets by other
 * means. What the program may not say itself, such as options of V8, holds for all threads anyway.
 */
function withBoot(options: WorkerOptions | undefined, construct: (options: WorkerOptions) => Worker): Worker {
  const isOwn = options?.execArgv !== undefined;
  let args: readonly string[] = isOwn ? options.execArgv! : process.execArgv;
  for (;;) {
    const execArgv = { value: [...args, ...EXPOSING_ARGUMENTS, '--require', BOOT], enumerable: true };
    try {
      return construct(Object.create(options ?? Object.prototype, { execArgv }));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (isOwn || code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error;
      const allowed = args.filter((arg) => !message.includes(arg));
      if (allowed.length === args.length) throw error;
      args = allowed;
    }
  }
}

/** Whether Node refused what it was given before it made a thread, which would have a number. */
function wasNoThread(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^ERR_(?:INVALID_ARG|INVALID_URL|WORKER)_/.test(code);
}

/** Replaces a method, which nobody sees who lists what is there. */
function replaceHidden(object: object, key: string, value: unknown): void {
  define(object, key, { configurable: true, writable: true, enumerable: false, value });
}
