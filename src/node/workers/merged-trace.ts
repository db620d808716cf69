import { EventBatch } from '../../trace/batch.ts';
import { decodeFacts, type FactRecord, type TraceFacts } from '../../trace/facts.ts';
import { grownInt32 } from '../../trace/growable.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, namedLocation } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { OPERATION_COUNT, Op } from '../../trace/operation.ts';
import { LOOKED_BACK, type TraceSink } from '../core/trace-sink.ts';
import { FACTS, operandTableOf, TABLES, Table } from '../isolates/records.ts';
import { MOST_ISOLATES } from '../isolates/region.ts';
import { RunningNames } from '../runtime/live-names.ts';
import type { MergeTarget } from './merge.ts';
import { NamesOfIsolates } from './names-of-isolates.ts';
import { ValuesOfIsolates } from './values-of-isolates.ts';

/** Messages that nobody has received: more are as good as lost. */
const MOST_WAITING = 65_536;

/** In place of an isolate: what was recorded before there were several. */
const REPLAYED = MOST_ISOLATES;

/** For each table, by the ids of one isolate: the ids in the trace, plus one. */
type Ids = Int32Array<ArrayBuffer>[];

/** The trace of all isolates: gives each thing one id, whichever isolate speaks of it, and hands events to the sinks. */
export class MergedTrace implements MergeTarget {
  readonly names = new RunningNames();
  readonly #sinks: TraceSink[] = [];
  readonly #threads = new NamesOfIsolates(this.names.threads);
  readonly #variables = new NamesOfIsolates(this.names.variables);
  readonly #messages = new NamesOfIsolates(this.names.locks);
  readonly #isolates: Ids[] = [];
  readonly #operandTables = Array.from({ length: OPERATION_COUNT }, (_, op) => operandTableOf(op));
  readonly #batch = new EventBatch();
  /** Events of a merged trace have their order already. */
  readonly #sequences = new Int32Array(this.#batch.capacity);
  readonly #flags = new Uint16Array(this.#batch.capacity);
  /** Messages that were sent, and those of them that nobody has received. */
  readonly #sent = new Set<number>();
  readonly #waiting = new Set<number>();
  readonly #values = new ValuesOfIsolates();

  addSink(sink: TraceSink): void {
    this.#sinks.push(sink);
  }

  event(isolate: number, op: number, thread: number, operand: number, location: number, flags = 0): void {
    if (this.#batch.length === this.#batch.capacity) this.flush();
    const value = this.#values.next(isolate);
    const ids = this.#idsOf(isolate);
    const global = ids[this.#operandTables[op]][operand] - 1;
    if (op === Op.send) this.#noteSent(global);
    // An isolate may be killed between sending a message and telling of it.
    else if (op === Op.receive && !this.#noteReceived(global)) return;
    if (value !== null) this.#values.add(this.#batch.firstEvent + this.#batch.length, value);
    this.push(
      op,
      ids[Table.threads][thread] - 1,
      global,
      location === NO_LOCATION || isNumericLocation(location)
        ? location
        : namedLocation(ids[Table.locations][locationNameId(location)] - 1),
      flags,
    );
  }

  /** An event whose ids are those of this trace. */
  push(op: number, thread: number, operand: number, location: number, flags: number): void {
    const batch = this.#batch;
    this.#flags[batch.length] = flags;
    batch.push(thread, op, operand, location, 0);
  }

  /** Who has sent a message forgets its name, but whoever receives it must find the same. */
  #noteSent(message: number): void {
    if (this.#sent.has(message)) return;
    this.#sent.add(message);
    this.#messages.hold(message);
    this.#waiting.add(message);
    if (this.#waiting.size <= MOST_WAITING) return;
    for (const oldest of this.#waiting) {
      this.#noteReceived(oldest);
      break;
    }
  }

  /** Whether the message was sent at all. */
  #noteReceived(message: number): boolean {
    if (this.#waiting.delete(message)) this.#messages.giveBack(message);
    return this.#sent.has(message);
  }

  /** Events with names of their own, which are kept for good: nobody tells when they are out of use. */
  replay(batch: EventBatch, names: TraceNames, facts: TraceFacts): void {
    for (let i = 0; i < batch.length; i++) {
      if (this.#batch.length === this.#batch.capacity) this.flush();
      const op = batch.op[i] as Op;
      const location = batch.location[i];
      this.push(
        op,
        this.#replayed(Table.threads, batch.thread[i], names),
        this.#replayed(this.#operandTables[op], batch.operand[i], names),
        location === NO_LOCATION || isNumericLocation(location)
          ? location
          : namedLocation(this.#replayed(Table.locations, locationNameId(location), names)),
        facts.flags.get(batch.firstEvent + i) ?? 0,
      );
    }
  }

  #replayed(table: number, id: number, names: TraceNames): number {
    const ids = this.#idsOf(REPLAYED);
    if (id >= ids[table].length || ids[table][id] === 0)
      this.name(REPLAYED, table, id, names[TABLES[table]].bytes(id));
    return ids[table][id] - 1;
  }

  noteFact(fact: FactRecord): void {
    for (const sink of this.#sinks) sink.noteFact?.(fact);
  }

  name(isolate: number, table: number, id: number, bytes: Uint8Array): void {
    if (table === FACTS) {
      for (const fact of decodeFacts(bytes)) {
        if (fact[0] === 'values') this.#values.begin(isolate, fact[1]);
        else this.noteFact(fact);
      }
      return;
    }
    const ids = this.#idsOf(isolate);
    ids[table] = grownInt32(ids[table], id + 1);
    ids[table][id] = 1 + this.#intern(table, bytes);
  }

  #intern(table: number, bytes: Uint8Array): number {
    const usedSince = this.#batch.firstEvent - LOOKED_BACK;
    switch (table) {
      case Table.threads:
        return this.#threads.take(textOf(bytes), usedSince);
      case Table.variables:
        return this.#variables.take(textOf(bytes), usedSince);
      case Table.messages:
        return this.#messages.take(textOf(bytes), usedSince);
      case Table.locks:
        return this.names.locks.internText(textOf(bytes));
      case Table.labels:
        return this.names.labels.internText(textOf(bytes));
      default:
        return this.names.locations.internText(textOf(bytes));
    }
  }

  forget(isolate: number, table: number, id: number): void {
    const ids = this.#idsOf(isolate)[table];
    if (id >= ids.length || ids[id] === 0) return;
    this.#livingIn(table)?.giveBack(ids[id] - 1);
    ids[id] = 0;
  }

  ended(isolate: number): void {
    for (const table of [Table.threads, Table.variables, Table.messages])
      for (let id = 0; id < this.#idsOf(isolate)[table].length; id++) this.forget(isolate, table, id);
    delete this.#isolates[isolate];
    this.#values.ended(isolate);
  }

  /** Hands over what has come. */
  flush(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    const values = this.#values.take();
    if (values.length > 0) this.noteFact(['values', values]);
    for (const sink of this.#sinks) sink.take(batch, this.#sequences, this.#flags);
    batch.advance();
    const event = batch.firstEvent;
    this.#threads.letGo(event, {
      isNeeded: (thread) => this.#sinks.some((sink) => sink.needsThread(thread)),
      forget: (threads) => {
        for (const sink of this.#sinks) sink.forgetThreads(threads);
      },
    });
    this.#variables.letGo(event, {
      isNeeded: (variable) => this.#sinks.some((sink) => sink.needsVariable(variable)),
      forget: (variables) => {
        for (const variable of variables) for (const sink of this.#sinks) sink.forgetVariable(variable);
      },
    });
    this.#messages.letGo(event, {
      isNeeded: () => false,
      forget: (messages) => {
        for (const message of messages) this.#sent.delete(message);
        for (const sink of this.#sinks) sink.forgetMessages?.(messages);
      },
    });
  }

  #livingIn(table: number): NamesOfIsolates | null {
    switch (table) {
      case Table.threads:
        return this.#threads;
      case Table.variables:
        return this.#variables;
      case Table.messages:
        return this.#messages;
      default:
        return null;
    }
  }

  finish(): void {
    this.flush();
    for (const sink of this.#sinks) sink.finish(this.#batch.firstEvent - 1);
  }

  #idsOf(isolate: number): Ids {
    this.#isolates[isolate] ??= TABLES.map(() => new Int32Array(64));
    return this.#isolates[isolate];
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
