import type { TraceSection } from '../../formats/format.ts';
import { TraceReader } from '../../formats/read.ts';
import type { EventBatch } from '../../trace/batch.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, namedLocation } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { OPERAND_KINDS, Op } from '../../trace/operation.ts';
import { FactsOfProcess, type Joined, type JoinedAccess, Target } from './joined-target.ts';
import { LENIENT, ownName, type ProcessTrace } from './process-traces.ts';
import type { Adopted, ServiceCalls } from './service-calls.ts';
import type { Step } from './steps.ts';
import type { StoreOrder } from './store-order.ts';
import { Turns } from './turns.ts';

/**
 * Writes one trace of all processes: each goes on until it comes to a step that has to wait for others. So the order of what nobody
 * can order is that of one process after the other.
 */
export async function writeJoined(
  traces: readonly ProcessTrace[],
  steps: readonly (readonly Step[])[],
  order: StoreOrder,
  calls: ServiceCalls,
  path: string,
): Promise<Joined> {
  const target = new Target(path);
  const turns = new Turns(order);
  const sources = await Promise.all(
    traces.map((_, process) => Source.open(process, traces, steps[process], target, turns, calls)),
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

/** One process, event by event. */
class Source {
  isOver = false;
  readonly #process: number;
  readonly #batches: AsyncGenerator<EventBatch>;
  readonly #reader: TraceReader;
  readonly #target: Target;
  readonly #turns: Turns;
  readonly #calls: CallsOfProcess;
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
    traces: readonly ProcessTrace[],
    steps: readonly Step[],
    target: Target,
    turns: Turns,
    calls: ServiceCalls,
  ): Promise<Source> {
    const trace = traces[process];
    const facts = new FactsOfProcess(trace.name, target);
    const onSection = (section: TraceSection) => facts.take(section);
    const reader = await TraceReader.open(trace.path, { ...LENIENT, onSection });
    return new Source(
      process,
      reader,
      facts,
      steps,
      target,
      turns,
      new CallsOfProcess(process, traces, reader.names, turns, calls),
    );
  }

  private constructor(
    process: number,
    reader: TraceReader,
    facts: FactsOfProcess,
    steps: readonly Step[],
    target: Target,
    turns: Turns,
    calls: CallsOfProcess,
  ) {
    this.#calls = calls;
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
      if (this.#calls.hasToWait(this.#batch, this.#at)) {
        if (!mayForce) return hasMoved;
        mayForce = false;
      }
      this.#pass(this.#batch, this.#at++, event, joined ?? null);
      hasMoved = true;
    }
  }

  #pass(batch: EventBatch, i: number, event: number, joined: JoinedAccess | null): void {
    const { names } = this.#reader;
    const op = batch.op[i] as Op;
    const location = batch.location[i];
    const own = this.#id('threads', batch.thread[i], () => this.#own(names.threads.text(batch.thread[i])));
    const forkedBy = this.#calls.pass(batch, i);
    if (forkedBy === DROPPED) return;
    const asker = forkedBy === null ? -1 : this.#target.names.threads.internText(forkedBy);
    const isFork = op === Op.fork && asker >= 0 && this.#calls.isForked;
    if (asker >= 0 && !isFork)
      this.#target.push(this.#process, Op.fork, asker, own, NO_LOCATION, 0, null, null);
    const thread = isFork ? asker : own;
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

/** Nothing of the event is left. */
const DROPPED = '';

/** What the events of one process have to do with calls of others, and by others. */
class CallsOfProcess {
  readonly #process: number;
  readonly #traces: readonly ProcessTrace[];
  readonly #names: TraceNames;
  readonly #turns: Turns;
  readonly #calls: ServiceCalls;
  /** Whether the event that was passed last is itself the fork of what another process asked for. */
  isForked = false;
  /** By thread: the call that it works for, and has not begun to. */
  readonly #adopted: (Adopted | null | undefined)[] = [];

  constructor(
    process: number,
    traces: readonly ProcessTrace[],
    names: TraceNames,
    turns: Turns,
    calls: ServiceCalls,
  ) {
    this.#process = process;
    this.#traces = traces;
    this.#names = names;
    this.#turns = turns;
    this.#calls = calls;
  }

  /** A caller goes on behind the answer, and what is done for a call comes behind the question. */
  hasToWait(batch: EventBatch, i: number): boolean {
    const [op, operand] = [batch.op[i], batch.operand[i]];
    if (op === Op.join) {
      const id = this.#requestOf(operand);
      return id !== null && this.#calls.isAnswered(id) && !this.#turns.answered.has(id);
    }
    const adopted = this.#adoptedBy(this.#about(batch, i));
    return adopted !== null && !this.#turns.asked.has(adopted.call);
  }

  /** Whoever forks the task that the event is about, or of, in the joined trace if that is in another process; null for nobody. */
  pass(batch: EventBatch, i: number): string | null {
    const [op, operand] = [batch.op[i], batch.operand[i]];
    if (op === Op.send) {
      const id = this.#calls.answeredBy(this.#names.locks.text(operand));
      if (id !== null) this.#turns.answered.add(id);
      if (id !== null) return DROPPED;
    }
    if ((op === Op.fork || op === Op.join) && this.#calls.isRequest(this.#process, this.#text(operand))) {
      const id = this.#requestOf(operand);
      if (id === null || op === Op.join) return DROPPED;
      this.#turns.asked.add(id);
    }
    const about = this.#about(batch, i);
    const adopted = this.#adoptedBy(about);
    if (adopted === null) return null;
    this.isForked = about !== batch.thread[i];
    this.#adopted[about] = null;
    return ownName(this.#traces[adopted.process].name, adopted.thread);
  }

  /** The thread that an event begins: its own, unless it forks one that works for another process. */
  #about(batch: EventBatch, i: number): number {
    const isFork = batch.op[i] === Op.fork && this.#adoptedBy(batch.operand[i]) !== null;
    return isFork ? batch.operand[i] : batch.thread[i];
  }

  #requestOf(thread: number): string | null {
    return this.#calls.requestOf(this.#process, this.#text(thread));
  }

  #adoptedBy(thread: number): Adopted | null {
    let adopted = this.#adopted[thread];
    if (adopted === undefined) {
      adopted = this.#calls.adopted(this.#process, this.#text(thread));
      this.#adopted[thread] = adopted;
    }
    return adopted;
  }

  #text(thread: number): string {
    return this.#names.threads.text(thread);
  }
}
