import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProcessMeeting } from '../../trace/facts.ts';
import type { ModuleFormat } from '../loader/module-kind.ts';
import { argumentsFor, REGISTER, START } from '../loader/own-arguments.ts';
import { CHILD_ENDING, environmentOf, type ProgramOptions } from '../loader/program-options.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import type { Runtime } from '../runtime/index.ts';
import { Patches } from '../support/patching.ts';

/* Processes that the program forks are watched, too: each writes a trace of its own, beside that of the program. */

/** What Node calls a process to be started, as far as it matters here. */
interface SpawnOptions {
  file?: unknown;
  args?: unknown;
  envPairs?: unknown;
  cwd?: unknown;
  stdio?: unknown;
}

/** Options of Node that take the next argument. */
const WITH_VALUE =
  /^(?:-r|--require|--import|-C|--conditions|--loader|--experimental-loader|--env-file|--title|--input-type|--icu-data-dir|--openssl-config)$/;

/** With these it runs something else than a file. */
const WITHOUT_FILE = /^(?:-e|--eval|-p|-pe|--print|-i|--interactive|-c|--check|--test|--run|-)(?:=|$)/;

/** More messages are not worth to be told. */
const MOST_MESSAGES = 10_000;

/** Messages of Node itself have a command that begins so. */
const OF_NODE = /^NODE_/;

/** Follows what the program forks, with `child_process` or `cluster`. */
export class Children {
  readonly #runtime: Runtime;
  readonly #program: ProgramOptions;
  readonly #transformer: SourceTransformer;
  #count = 0;

  constructor(runtime: Runtime, program: ProgramOptions, transformer: SourceTransformer) {
    this.#runtime = runtime;
    this.#program = program;
    this.#transformer = transformer;
  }

  patch(): void {
    const { ChildProcess } = process.getBuiltinModule('node:child_process');
    const patches = new Patches();
    const follow = (options: SpawnOptions) => this.#follow(options);
    const followChannel = (child: ChildProcess, id: string) => this.#followChannel(child, id, 'out', 'in');
    patches.replace(
      ChildProcess.prototype,
      'spawn',
      (original) =>
        function (this: ChildProcess, ...values: unknown[]) {
          const id = follow((values[0] ?? {}) as SpawnOptions);
          const returned = Reflect.apply(original, this, values);
          if (id !== null) followChannel(this, id);
          return returned;
        },
    );
    const { child } = this.#program;
    if (child === undefined) return;
    this.#meet({ id: `${child} starts`, kind: 'effect', step: null });
    this.#meet({ id: `${child} ends`, kind: 'cause', step: null });
    if (typeof process.send === 'function') this.#followChannel(process, child, 'in', 'out');
  }

  /** Makes a process that is about to be started one that is watched; what it is called, or null if it is not. */
  #follow(options: SpawnOptions): string | null {
    const { args, envPairs, stdio } = options;
    if (options.file !== process.execPath || !Array.isArray(args) || !Array.isArray(envPairs)) return null;
    // Whoever is forked can be talked to.
    if (!Array.isArray(stdio) || !stdio.includes('ipc')) return null;
    const script = scriptIn(args);
    if (script === null) return null;
    const entry = resolve(typeof options.cwd === 'string' ? options.cwd : process.cwd(), script);
    const format = this.#formatOf(entry);
    if (format === null) return null;
    const { evidence } = this.#runtime.recorder;
    evidence.turnOn();
    const child = `${this.#program.child ?? ''}${CHILD_ENDING}${++this.#count}`;
    const { turns: _, ...program } = this.#program;
    const spool = `${this.#program.spool}${CHILD_ENDING}${this.#count}`;
    const given: ProgramOptions = { ...program, entry, format, spool, evidence: true, child };
    for (const [name, value] of Object.entries(environmentOf(given))) envPairs.push(`${name}=${value}`);
    const ours = argumentsFor(entry, format, { register: REGISTER, start: START });
    options.args = [args[0], ...ours, ...args.slice(1)];
    this.#meet({ id: `${child} starts`, kind: 'cause', step: ++evidence.steps });
    return child;
  }

  #formatOf(entry: string): ModuleFormat | null {
    try {
      if (!statSync(entry).isFile()) return null;
      return this.#runtime.aside(() => this.#transformer.formatOf(entry, readFileSync(entry, 'utf8')));
    } catch {
      return null;
    }
  }

  /** Messages come in the order in which they are sent, so that their numbers tell which is which. */
  #followChannel(end: ChildProcess | NodeJS.Process, id: string, sends: string, receives: string): void {
    const { evidence } = this.#runtime.recorder;
    const counts = { sent: 0, received: 0 };
    const meet = (name: string, kind: ProcessMeeting['kind']) => {
      if (counts.sent + counts.received <= MOST_MESSAGES || name.endsWith(' ends'))
        this.#meet({ id: name, kind, step: ++evidence.steps });
    };
    const patches = new Patches();
    patches.replace(
      end,
      'send',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          if (!isOfNode(values[0])) meet(`${id} ${sends} ${++counts.sent}`, 'cause');
          return Reflect.apply(original, this, values);
        },
    );
    const emit = end.emit as (...values: unknown[]) => boolean;
    Object.defineProperty(end, 'emit', {
      configurable: true,
      enumerable: false,
      writable: true,
      value: function (this: unknown, ...values: unknown[]): boolean {
        if (values[0] === 'message') meet(`${id} ${receives} ${++counts.received}`, 'effect');
        else if (values[0] === 'exit' && end !== process) meet(`${id} ends`, 'effect');
        return Reflect.apply(emit, this, values);
      },
    });
  }

  #meet(meeting: ProcessMeeting): void {
    this.#runtime.noteMeeting(meeting);
  }
}

function isOfNode(message: unknown): boolean {
  const { cmd } = (message ?? {}) as { cmd?: unknown };
  return typeof cmd === 'string' && OF_NODE.test(cmd);
}

/** The file that Node is to run, by its arguments; null if there is none. */
function scriptIn(args: readonly unknown[]): string | null {
  for (let i = 1; i < args.length; i++) {
    const arg = String(args[i]);
    if (WITHOUT_FILE.test(arg)) return null;
    if (WITH_VALUE.test(arg)) i++;
    else if (!arg.startsWith('-')) return arg;
  }
  return null;
}
