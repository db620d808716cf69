import type { TraceSection } from '../../formats/format.ts';
import { EventBatch } from '../../trace/batch.ts';
import {
  decodeFacts,
  decodeProgram,
  FACTS_SECTION,
  FACTS_VERSION,
  type FactRecord,
  type VariableFacts,
} from '../../trace/facts.ts';
import { TraceNames } from '../../trace/names.ts';
import type { Op } from '../../trace/operation.ts';
import { Spool } from '../runtime/sinks/spool.ts';
import { baseName, identityOf, ownName } from './process-traces.ts';
import type { Step, StepAccess } from './steps.ts';

/** Which step of which process an event of the joined trace is. */
export interface JoinedAccess {
  readonly step: Step;
  readonly access: StepAccess;
}

/** What is in the joined trace. */
export interface Joined {
  /** By the numbers of events in the joined trace. */
  readonly accesses: ReadonlyMap<number, JoinedAccess>;
  /** The process of an event. */
  processOf(event: number): number;
}

/** What is known of the tasks, variables and events of a process, by the names of the joined trace. */
export class FactsOfProcess {
  readonly #name: string;
  readonly #target: Target;
  readonly #stored = new Map<string, string>();
  readonly #flags = new Map<number, number>();
  readonly #values = new Map<number, string>();

  constructor(name: string, target: Target) {
    this.#name = name;
    this.#target = target;
  }

  /** The name of something that only this process has. */
  own(name: string): string {
    return ownName(this.#name, name);
  }

  variable(name: string): string {
    const store = this.#stored.get(name);
    return store === undefined ? this.own(name) : this.#target.stored(store, name);
  }

  flagsOf(event: number): number {
    const flags = this.#flags.get(event) ?? 0;
    this.#flags.delete(event);
    return flags;
  }

  valueOf(event: number): string | null {
    const value = this.#values.get(event) ?? null;
    this.#values.delete(event);
    return value;
  }

  take(section: TraceSection): void {
    const program = decodeProgram(section);
    if (program !== null) this.#target.noteFact(['program', program]);
    if (section.name === FACTS_SECTION && section.version === FACTS_VERSION)
      for (const fact of decodeFacts(section.bytes)) this.#fact(fact);
  }

  #fact(fact: FactRecord): void {
    switch (fact[0]) {
      case 'events':
        for (let i = 0; i + 1 < fact[1].length; i += 2)
          this.#flags.set(fact[1][i], (this.#flags.get(fact[1][i]) ?? 0) | fact[1][i + 1]);
        return;
      case 'values':
        for (let i = 0; i + 1 < fact[1].length; i += 2)
          this.#values.set(Number(fact[1][i]), String(fact[1][i + 1]));
        return;
      case 'evidence':
      case 'program':
        return;
      case 'task':
        this.#target.noteFact(['task', this.own(fact[1]), fact[2]]);
        return;
      case 'variable':
        this.#variableFact(fact[1], fact[2]);
        return;
      default:
        this.#target.noteFact(fact);
    }
  }

  #variableFact(name: string, facts: Partial<VariableFacts>): void {
    if (typeof facts.store === 'string') this.#stored.set(name, facts.store);
    const { owner } = facts;
    const own =
      owner === undefined ? facts : { ...facts, owner: { ...owner, thread: this.own(owner.thread) } };
    this.#target.noteFact(['variable', this.variable(name), own]);
  }
}

/** The joined trace as it is written. */
export class Target {
  readonly names = new TraceNames();
  readonly #spool: Spool;
  readonly #batch = new EventBatch();
  readonly #flags = new Uint16Array(this.#batch.capacity);
  #values: (number | string)[] = [];
  readonly #accesses = new Map<number, JoinedAccess>();
  /** Events from which on a process goes on, and which. */
  readonly #from: number[] = [];
  readonly #process: number[] = [];
  /** By base names: the store whose things are called so; those of others have it in front. */
  readonly #owners = new Map<string, string>();
  readonly #files = new Set<string>();

  constructor(path: string) {
    this.#spool = new Spool(path, this.names);
  }

  push(
    process: number,
    op: Op,
    thread: number,
    operand: number,
    location: number,
    flags: number,
    value: string | null,
    joined: JoinedAccess | null,
  ): void {
    const batch = this.#batch;
    if (batch.length === batch.capacity) this.#flush();
    const event = batch.firstEvent + batch.length;
    if (this.#process.at(-1) !== process) {
      this.#from.push(event);
      this.#process.push(process);
    }
    if (joined !== null) this.#accesses.set(event, joined);
    if (value !== null) this.#values.push(event, value);
    this.#flags[batch.length] = flags;
    batch.push(thread, op, operand, location, 0);
  }

  /** The name of what is in a store. */
  stored(store: string, name: string): string {
    const base = baseName(store, name);
    const owner = this.#owners.get(base);
    if (owner === undefined) this.#owners.set(base, store);
    return (owner ?? store) === store ? base : identityOf(store, name).replace('\n', ' ');
  }

  noteFact(fact: FactRecord): void {
    if (fact[0] === 'file') {
      if (this.#files.has(fact[1])) return;
      this.#files.add(fact[1]);
    }
    this.#spool.noteFact(fact);
  }

  #flush(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    if (this.#values.length > 0) this.#spool.noteFact(['values', this.#values]);
    this.#values = [];
    this.#spool.take(batch, new Int32Array(0), this.#flags);
    batch.advance();
  }

  finish(): Joined {
    this.#flush();
    this.#spool.finish();
    return {
      accesses: this.#accesses,
      processOf: (event) => {
        let at = this.#from.length - 1;
        while (at > 0 && this.#from[at] > event) at--;
        return this.#process[at];
      },
    };
  }
}
