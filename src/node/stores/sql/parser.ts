import threads, { type MessagePort, type Worker } from 'node:worker_threads';
import { cacheEnvironment } from '../../../startup/code-cache.ts';
import { originalOf } from '../../support/patching.ts';
import { secretly } from '../../support/quietly.ts';
import type { ParserData, Question } from './parser-thread.ts';
import type { Dialect, Plan } from './plan.ts';

/** The program's own are replaced. */
const store = originalOf(Atomics.store) as typeof Atomics.store;
const wait = originalOf(Atomics.wait) as typeof Atomics.wait;
const { MessageChannel, receiveMessageOnPort } = threads;

/** To load the parser takes a fraction of a second; to parse a statement, of a millisecond. */
const PATIENCE_MS = 20_000;

/** Programs have few statements, unless they put values into their texts. */
const MOST_PLANS = 5000;

/** Longer texts are data, rather than statements: a dump, say. */
const LONGEST_TEXT = 100_000;

/** Parses statements, each text once. The thread for that is started by the first one. */
export class Parser {
  readonly #plans = new Map<string, Plan>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  plan(text: string): Plan {
    let plan = this.#plans.get(text);
    if (plan !== undefined) return plan;
    plan = text.length > LONGEST_TEXT ? null : ask({ text, isSqlite: this.#dialect === 'sqlite' });
    if (this.#plans.size >= MOST_PLANS) this.#plans.delete(this.#plans.keys().next().value as string);
    this.#plans.set(text, plan);
    return plan;
  }
}

/** Starts the thread, which gets ready while the program goes on. */
export function startParser(): void {
  thread ??= new ParserThread();
}

let thread: ParserThread | null = null;

function ask(question: Question): Plan {
  startParser();
  return (thread as ParserThread).ask(question);
}

class ParserThread {
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));
  readonly #port: MessagePort;
  #isBroken = false;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const MakeWorker = originalOf(threads.Worker) as typeof Worker;
    const workerData: ParserData = { port: port2, bell: this.#bell };
    const worker = secretly(
      () =>
        new MakeWorker(new URL('../loader/sql-parser.cjs', import.meta.url), {
          workerData,
          transferList: [port2],
          execArgv: [],
          env: cacheEnvironment(),
        }),
    );
    worker.unref();
    port1.unref();
    worker.on('error', () => {
      this.#isBroken = true;
    });
  }

  ask(question: Question): Plan {
    if (this.#isBroken) return null;
    store(this.#bell, 0, 0);
    this.#port.postMessage(question);
    if (wait(this.#bell, 0, 0, PATIENCE_MS) === 'timed-out') {
      this.#isBroken = true;
      return null;
    }
    return receiveMessageOnPort(this.#port)?.message ?? null;
  }
}
