import type { TraceSection } from '../../formats/format.ts';
import { TraceReader } from '../../formats/read.ts';
import { EventBatch } from '../../trace/batch.ts';
import {
  decodeFacts,
  decodeProgram,
  FACTS_SECTION,
  FACTS_VERSION,
  type FactRecord,
  type VariableFacts,
} from '../../trace/facts.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, namedLocation } from '../../trace/location.ts';
import { TraceNames } from '../../trace/names.ts';
import { OPERAND_KINDS, type Op } from '../../trace/operation.ts';
import { Spool } from '../runtime/sinks/spool.ts';
import { baseName, identityOf, LENIENT, type ProcessTrace } from './process-traces.ts';
import type { Step, StepAccess } from './steps.ts';
import type { StoreOrder } from './store-order.ts';

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

/**
 * Writes one trace of all processes: each goes on until it comes to a step that has to wait for others. So the order of what nobody
 * can order is that of one process after the other.
 */
export async function writeJoined(
  traces: readonly ProcessTrace[],
  steps: readonly (readonly Step[])[],
  order: StoreOrder,
  path: string,
): Promise<Joined> {
  const target = new Target(path);
  const turns = new Turns(order);
  const sources = await Promise.all(
    traces.map((trace, process) => Source.open(process, trace, steps[process], target, turns)),
  );
  let isForced = false;
  for (let left = sources; left.length > 0; left = left.filter(({ isOver }) => !isOver)) {
    let hasMoved = false;
    for (const source of left) hasMoved = (await source.advance(isForced && source === left[0])) || hasMoved;
    // What was logged by its answer may have been done in another order: somebody has to go first all the same.
    isForced = !hasMoved;
  }
  return target.finish();
}

/** Which steps have had their turn. */
class Turns {
  readonly #order: StoreOrder;
  readonly #done: Set<number>[] = [];
  readonly #upTo: number[] = [];

  constructor(order: StoreOrder) {
    this.#order = order;
  }

  isNext(step: Step): boolean {
    const node = this.#order.nodes.get(step);
    if (node === undefined) return true;
    const { precedence } = this.#order;
    const own = precedence.chainOf(node);
    return precedence.clock(node).every((place, chain) => {
      const needed = chain === own ? place - 1 : place;
      return (this.#upTo[chain] ?? 0) >= needed;
    });
  }

  pass(step: Step): void {
    const node = this.#order.nodes.get(step);
    if (node === undefined) return;
    const chain = this.#order.precedence.chainOf(node);
    this.#done[chain] ??= new Set();
    const done = this.#done[chain].add(this.#order.precedence.placeOf(node));
    let upTo = this.#upTo[chain] ?? 0;
    while (done.delete(upTo + 1)) upTo++;
    this.#upTo[chain] = upTo;
  }
}

/** One process, event by event. */
class Source {
  isOver = false;
  readonly #process: number;
  readonly #batches: AsyncGenerator<EventBatch>;
  readonly #reader: TraceReader;
  readonly #target: Target;
  readonly #turns: Turns;
  readonly #own: (name: string) => string;
  /** By the numbers of events. */
  readonly #accesses = new Map<number, JoinedAccess>();
  readonly #facts: FactsOfProcess;
  readonly #passed = new Set<Step>();
  /** Per table and id: the id in the joined trace, plus one. */
  readonly #ids = new Map<string, number[]>();
  #batch: EventBatch | null = null;
  #at = 0;

  static async open(
    process: number,
    trace: ProcessTrace,
    steps: readonly Step[],
    target: Target,
    turns: Turns,
  ): Promise<Source> {
    const facts = new FactsOfProcess(trace.name, target);
    const onSection = (section: TraceSection) => facts.take(section);
    const reader = await TraceReader.open(trace.path, { ...LENIENT, onSection });
    return new Source(process, reader, facts, steps, target, turns);
  }

  private constructor(
    process: number,
    reader: TraceReader,
    facts: FactsOfProcess,
    steps: readonly Step[],
    target: Target,
    turns: Turns,
  ) {
    this.#process = process;
    this.#reader = reader;
    this.#batches = reader.batches();
    this.#facts = facts;
    this.#target = target;
    this.#turns = turns;
    this.#own = (name) => facts.own(name);
    for (const step of steps)
      for (const access of step.accesses) this.#accesses.set(access.event, { step, access });
  }

  /** Passes on all up to a step that has to wait; whether there was anything. `isForced`: that step does not wait. */
  async advance(isForced: boolean): Promise<boolean> {
    let hasMoved = false;
    let mayForce = isForced;
    for (;;) {
      if (this.#batch === null || this.#at === this.#batch.length) {
        const { done, value } = await this.#batches.next();
        if (done) {
          this.isOver = true;
          return true;
        }
        this.#batch = value;
        this.#at = 0;
        continue;
      }
      const event = this.#batch.firstEvent + this.#at;
      const joined = this.#accesses.get(event);
      if (joined !== undefined && !this.#passed.has(joined.step)) {
        if (!mayForce && !this.#turns.isNext(joined.step)) return hasMoved;
        mayForce = false;
        this.#passed.add(joined.step);
        this.#turns.pass(joined.step);
      }
      this.#pass(this.#batch, this.#at++, event, joined ?? null);
      hasMoved = true;
    }
  }

  #pass(batch: EventBatch, i: number, event: number, joined: JoinedAccess | null): void {
    const { names } = this.#reader;
    const op = batch.op[i] as Op;
    const location = batch.location[i];
    const thread = this.#id('threads', batch.thread[i], () => this.#own(names.threads.text(batch.thread[i])));
    const kind = OPERAND_KINDS[op];
    const table =
      kind === 'variable'
        ? 'variables'
        : kind === 'thread'
          ? 'threads'
          : kind === 'label'
            ? 'labels'
            : 'locks';
    const operand = this.#id(table, batch.operand[i], () => {
      const name = names[table].text(batch.operand[i]);
      return table === 'variables' ? this.#facts.variable(name) : table === 'labels' ? name : this.#own(name);
    });
    this.#target.push(
      this.#process,
      op,
      thread,
      operand,
      location === NO_LOCATION || isNumericLocation(location)
        ? location
        : namedLocation(
            this.#id('locations', locationNameId(location), () =>
              names.locations.text(locationNameId(location)),
            ),
          ),
      this.#facts.flagsOf(event),
      this.#facts.valueOf(event),
      joined,
    );
  }

  #id(
    table: keyof TraceNames & ('threads' | 'variables' | 'locks' | 'labels' | 'locations'),
    id: number,
    name: () => string,
  ): number {
    const ids = this.#ids.get(table) ?? [];
    this.#ids.set(table, ids);
    ids[id] ??= this.#target.names[table].internText(name());
    return ids[id];
  }
}

/** What is known of the tasks, variables and events of a process, by the names of the joined trace. */
class FactsOfProcess {
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
    return this.#name === '' ? name : `${this.#name}: ${name}`;
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
class Target {
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
    this.#spool.take(batch, [], [], new Int32Array(0), this.#flags);
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
