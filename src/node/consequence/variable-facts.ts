import type { EventBatch } from '../../trace/batch.ts';
import { locationText } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { accessKind, Op } from '../../trace/operation.ts';
import type { VariableAccess, VariableFacts } from './consequence.ts';

/** Accesses to one variable that are kept; what comes later is not looked at. */
const MOST_ACCESSES = 20_000;

/** So far up is looked for who has led to a thread. */
const MOST_STARTERS = 8;

const NOTHING_SEEN: ReadonlyMap<string, number> = new Map();

const LETTERS = ['r', 'w', 'u'] as const;

/** Gathers what `judge` has to know about some variables of a trace. */
export class VariableFactsSearch {
  readonly #names: TraceNames;
  readonly #absent: ReadonlySet<string>;
  readonly #accesses = new Map<string, VariableAccess[]>();
  /** By id of the variable; undefined for those not met yet, null for those that do not matter. */
  readonly #wanted: (VariableAccess[] | null | undefined)[] = [];
  #thread = -1;
  #run = 0;
  /** By thread: the last of its writes that was read in this run. */
  #seen = new Map<number, number>();
  /** By variable: its last writer, and that event. */
  readonly #writer: number[] = [];
  readonly #writtenAt: number[] = [];
  /** By thread: who forked it, and where. */
  readonly #forks: ({ by: number; at: number } | undefined)[] = [];

  constructor(names: TraceNames, variables: ReadonlySet<string>, absent: ReadonlySet<string>) {
    this.#names = names;
    this.#absent = absent;
    for (const variable of variables) this.#accesses.set(variable, []);
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const kind = accessKind(batch.op[i]);
      const thread = batch.thread[i];
      if (thread !== this.#thread) this.#startRun(thread);
      const event = batch.firstEvent + i;
      if (batch.op[i] === Op.fork) this.#forks[batch.operand[i]] = { by: thread, at: event };
      if (kind === Op.skip) continue;
      const variable = batch.operand[i];
      this.#note(event, thread, kind, variable);
      const found = this.#accessesTo(variable);
      if (found === null || found.length === MOST_ACCESSES) continue;
      found.push({
        event,
        thread: this.#names.threads.text(thread),
        op: LETTERS[kind],
        location: locationText(this.#names.locations, batch.location[i]),
        run: this.#run,
        seen: kind === Op.read ? NOTHING_SEEN : this.#whatWasSeen(),
        forked: this.#forkOf(thread),
        starters: this.#startersOf(thread),
      });
    }
  }

  #startRun(thread: number): void {
    this.#thread = thread;
    this.#run++;
    if (this.#seen.size > 0) this.#seen = new Map();
  }

  #note(event: number, thread: number, kind: Op, variable: number): void {
    if (kind !== Op.read) {
      this.#writer[variable] = thread;
      this.#writtenAt[variable] = event;
      return;
    }
    const writer = this.#writer[variable];
    if (writer === undefined || writer === thread) return;
    this.#seen.set(writer, Math.max(this.#seen.get(writer) ?? 0, this.#writtenAt[variable]));
  }

  #whatWasSeen(): ReadonlyMap<string, number> {
    if (this.#seen.size === 0) return NOTHING_SEEN;
    return new Map(Array.from(this.#seen, ([thread, event]) => [this.#names.threads.text(thread), event]));
  }

  #forkOf(thread: number): { by: string; at: number } | null {
    const fork = this.#forks[thread];
    return fork === undefined ? null : { by: this.#names.threads.text(fork.by), at: fork.at };
  }

  #startersOf(thread: number): readonly string[] {
    const starters: string[] = [];
    let fork = this.#forks[thread];
    for (; fork !== undefined && starters.length < MOST_STARTERS; fork = this.#forks[fork.by])
      starters.push(this.#names.threads.text(fork.by));
    return starters;
  }

  facts(variable: string): VariableFacts {
    return { accesses: this.#accesses.get(variable) ?? [], wasAbsent: this.#absent.has(variable) };
  }

  #accessesTo(variable: number): VariableAccess[] | null {
    let found = this.#wanted[variable];
    if (found === undefined) {
      found = this.#accesses.get(this.#names.variables.text(variable)) ?? null;
      this.#wanted[variable] = found;
    }
    return found;
  }
}
