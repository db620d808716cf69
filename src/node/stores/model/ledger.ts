import { EventFlag, type Store } from '../../../trace/facts.ts';
import { Op } from '../../../trace/operation.ts';
import type { Activation } from '../../core/activation.ts';
import { outermost } from '../../core/ancestry.ts';
import { LockRecord } from '../../core/lock-record.ts';
import type { Place } from '../../core/place.ts';
import { UNKNOWN, type VariableRecord } from '../../core/variable.ts';
import type { Callee } from '../../runtime/caller-place.ts';
import type { Runtime } from '../../runtime/index.ts';
import { type AskedOfStore, AT_ONCE } from '../../runtime/scheduling.ts';
import { readAt } from '../../runtime/staleness.ts';
import { EARLIER, type Span, StoreOrder } from './order.ts';
import { statementText } from './statement-text.ts';
import { evidenceOf, type Step, Steps } from './steps.ts';
import { type Effect, factsOf, Space, type StoreKind } from './variables.ts';

/** Of these, reports may be errors. */
const ORDERED: ReadonlySet<StoreKind> = new Set(['row', 'column', 'predicate', 'key', 'field', 'document']);

const KINDS = { read: Op.read, write: Op.write, update: Op.update } as const;

/** What reports show of a statement. */
const LONGEST_TEXT = 120;

/** Of statements that were not understood: those that put data into their texts would never end. */
const MOST_UNKNOWN = 1000;

/** Who has called a driver, and where. */
export interface Caller {
  /** Null if nobody knows: a callback of a library, of which it is only known by whom it was registered. */
  readonly activation: Activation | null;
  readonly registeredIn: Activation | null;
  readonly site: number;
  /** Whether the program itself has called the driver, and no library for it. */
  readonly isDirect: boolean;
  /** How many steps of stores were answered by then. */
  readonly stepsBefore: number;
  /** When it was sent, by the log, and by which connection; -1 for what was done at once. */
  sentAt: number;
  connection: Connection | null;
  /** The place in the log that was kept then. */
  place: Place | null;
}

/** A place among the steps of stores, with a number of its own; null if nobody wants to know. */
export type Moment = number | null;

/** More messages are not worth to be told. */
const MOST_MESSAGES = 10_000;

/** What orders statements by itself: those that go through one connection are done in the order in which they are sent. */
export type Connection = object;

/** A statement that is on its way: what it has seen is what was true at some time since then. */
export interface Sent {
  readonly place: Place;
}

export interface HeldStoreLock {
  release(): void;
}

/** Notes what the program does to stores. */
export class Ledger {
  readonly #runtime: Runtime;
  readonly #spaces = new Map<string, Space>();
  readonly #owners = new Map<string, string>();
  readonly #locks = new Map<string, LockRecord>();
  /** The statements that were not understood, each with its store. */
  readonly #unknown = new Set<string>();
  /** By the place that they were sent from; null for several. */
  readonly #statements = new Map<number, { text: string; short: string } | null>();
  readonly #steps: Steps;
  readonly #order = new StoreOrder();
  readonly used = new Set<string>();
  #messages = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#steps = new Steps(runtime.recorder.evidence);
    runtime.recorder.followsStores = true;
  }

  /** To be asked in the very call by the program, of `callee`, if that is known. */
  caller(text: string, callee: Callee | null = null): Caller {
    const { recorder } = this.#runtime;
    const { current } = recorder.tasks;
    const registeredIn = current ?? recorder.callbacks.registeredIn();
    // Who has returned what a library goes on with is in no stack any more.
    const hasReturned = current === null && registeredIn?.hasReturned === true && registeredIn.awaitsAt > 0;
    const { site, isDirect } = this.#runtime.programPlace(
      shown(text),
      (hasReturned ? registeredIn?.awaitsAt : registeredIn?.suspendedAt) ?? 0,
      hasReturned,
      callee,
    );
    const stepsBefore = this.#steps.count;
    // Code of a library, mostly for the function that is waiting for it.
    const isWaiting = registeredIn?.isCall === true && !registeredIn.isOver;
    const activation = current ?? (isWaiting ? registeredIn : null);
    return {
      activation,
      registeredIn,
      site,
      isDirect,
      stepsBefore,
      sentAt: -1,
      connection: null,
      place: null,
    };
  }

  /** What a library has sent for somebody else than it seemed. */
  sentFor(caller: Caller, { activation, registeredIn }: Caller, text: string): Caller {
    if (activation === null || activation.isOver) return caller;
    const { site } = this.#runtime.programPlace(shown(text), activation.suspendedAt, true);
    return { ...caller, activation, registeredIn, site, place: null };
  }

  /** Runs what a driver calls back as if the caller had registered it, whoever made the connection. */
  inContextOf<T>({ activation, registeredIn }: Caller, run: () => T): T {
    return this.#runtime.recorder.callbacks.inContextOf(activation ?? registeredIn, run);
  }

  /**
   * The driver is asked for something, which goes through the connection: when it is to be sent, and when the program is to
   * have the answer. `mayWait`: whether the store may let it wait for what the program does later, as for a lock.
   */
  asks(caller: Caller, connection: Connection, mayWait: boolean): AskedOfStore {
    const { activation, registeredIn, site } = caller;
    caller.sentAt = this.time;
    caller.connection = connection;
    if (this.#runtime.recorder.evidence.isOn) this.#steps.sent(caller, connection);
    const schedule = this.#runtime.storeSchedule;
    if (schedule === null) return AT_ONCE;
    return schedule.asks(activation ?? registeredIn, site, connection, mayWait);
  }

  /** A statement goes out. Null if nobody knows for whom. */
  send(caller: Caller): Sent | null {
    const place = this.place(caller);
    if (place === null) return null;
    this.#runtime.recorder.unanswered++;
    caller.sentAt = place.entry;
    caller.place = place;
    return { place };
  }

  /** Its answer has come. */
  answered(sent: Sent | null): void {
    if (sent !== null) this.#runtime.recorder.unanswered--;
  }

  /** Keeps a place in the log, for the caller; null if there is nobody who could have one. */
  place({ activation }: Caller): Place | null {
    return activation === null || activation.isOver ? null : this.#runtime.recorder.place(activation);
  }

  /** Where the log is by now. */
  get time(): number {
    return this.#runtime.recorder.tasks.log.next;
  }

  /** What the store does at once for a caller; null if nobody wants to know. */
  step(caller: Caller): Step | null {
    return this.#runtime.recorder.evidence.isOn ? this.#steps.next(caller) : null;
  }

  /**
   * Something has been done that belongs to an earlier place in the log, if that can still be reached. `step`: with what it was
   * done at once, if there is more.
   */
  at(place: Place | null, caller: Caller, effects: readonly Effect[], step = this.step(caller)): void {
    const { activation, site } = caller;
    if (place === null || place.isGone || activation === null) {
      this.now(caller, effects, step);
      return;
    }
    const { recorder } = this.#runtime;
    const late: Effect[] = [];
    for (const effect of effects) {
      const { variable: stored, act } = effect;
      const variable = stored.record.variable(stored.key, site);
      variable.facts ??= factsOf(stored);
      const isCommuting = act === 'update' && readAt(variable, outermost(activation)) === null;
      const kind = act === 'read' ? Op.read : isCommuting || effect.isGuarded ? Op.update : Op.write;
      if (
        !recorder.accessAt(place, activation, variable, kind, site, flagsOf(effect), evidenceOf(effect, step))
      )
        late.push(effect);
    }
    this.now(caller, late, step);
  }

  /** Something has been done to a store, and is over: one group, into which nothing comes. */
  now(caller: Caller, effects: readonly Effect[], step?: Step | null, span = this.#spanOf(caller)): void {
    if (effects.length === 0) return;
    const done = step ?? this.step(caller);
    this.#runtime.recorder.callbacks.onBehalf(caller.activation, caller.registeredIn, () => {
      for (const effect of effects) {
        if (span.sent < 0 || !ORDERED.has(effect.variable.kind)) this.#log(effect, caller, done, 0);
        else this.#logInOrder(effect, caller, done, span);
      }
    });
  }

  /** Something turns out to have been seen when the caller's statement was sent, if that can still be said. */
  earlier(caller: Caller, effects: readonly Effect[]): void {
    const step = this.step(caller);
    for (const effect of effects)
      this.#isPlaced(
        effect,
        caller,
        step,
        effect.variable.record.variable(effect.variable.key, caller.site),
        null,
      );
  }

  #spanOf({ sentAt, connection }: Caller): Span {
    return { sent: sentAt, lockSent: sentAt, locked: this.time, connection };
  }

  /** What was on its way together with others belongs where the store's own evidence puts it. */
  #logInOrder(effect: Effect, caller: Caller, step: Step | null, span: Span): void {
    const { variable: stored } = effect;
    const { recorder } = this.#runtime;
    const variable = stored.record.variable(stored.key, caller.site);
    const task = recorder.tasks.current?.task ?? null;
    const order = this.#order.place(variable, task, effect, span);
    this.#order.note(variable, task, effect, span, this.time);
    if (order !== EARLIER) this.#log(effect, caller, step, order);
    else if (
      span.sent !== caller.sentAt ||
      !this.#isPlaced(effect, caller, step, variable, recorder.tasks.current)
    )
      this.#log(effect, caller, step, EventFlag.amongReads | EventFlag.amongChanges);
  }

  /** `by`: who is going to get what was read. */
  #isPlaced(
    effect: Effect,
    caller: Caller,
    step: Step | null,
    variable: VariableRecord,
    by: Activation | null,
  ): boolean {
    const { activation, place, site, isDirect } = caller;
    const { recorder } = this.#runtime;
    if (activation === null || place === null || place.isGone || activation.isOver) return false;
    variable.facts ??= factsOf(effect.variable);
    const kind = effect.act === 'read' ? Op.read : effect.isGuarded ? Op.update : KINDS[effect.act];
    const evidence = evidenceOf(effect, step);
    if (!recorder.accessAt(place, activation, variable, kind, site, flagsOf(effect), evidence)) return false;
    const placed = place.accesses.at(-1);
    if (placed !== undefined && effect.given !== undefined)
      placed.look = recorder.looks.notePlaced(effect.given, isDirect, by, variable, place.entry);
    return true;
  }

  #log(effect: Effect, { site, isDirect }: Caller, step: Step | null, order: number): void {
    const { variable: stored, act, isGuarded, ifUsed, given } = effect;
    const { record, key } = stored;
    const { recorder } = this.#runtime;
    const variable = record.variable(key, site);
    variable.facts ??= factsOf(stored);
    const evidence = evidenceOf(effect, step);
    const op = ifUsed === undefined ? null : ifUsed === 'read' ? Op.read : Op.update;
    if (act === 'update' && !isGuarded) {
      recorder.updateElsewhere(variable, site, op, {
        flags: flagsOf(effect) | order,
        isIdle: false,
        evidence,
      });
      this.#noteValue(effect, variable);
      return;
    }
    const isApart = act === 'write' && recorder.isApart(variable, effect.wrote?.value ?? NOBODYS);
    const flags = flagsOf(effect) | order | (isApart ? EventFlag.apart : 0);
    recorder.access(variable, KINDS[act], site, { flags, isIdle: false, evidence });
    this.#noteValue(effect, variable);
    if (given !== undefined) recorder.looks.note(variable.last, given, isDirect, recorder.tasks.current);
    if (op !== null) recorder.answers.await(variable, op);
  }

  /** What a column or key held, or holds now, as far as the statement and its answer say so. */
  #noteValue({ act, variable: { kind }, given, seen, wrote }: Effect, variable: VariableRecord): void {
    const { values } = this.#runtime.recorder;
    if (!TOLD.has(kind) || !values?.wants(variable)) return;
    if (act === 'read') values.noteSeen(variable, given?.row ? valueIn(given.row, given.name) : seen?.value);
    else values.noteChange(variable, wrote === undefined ? UNKNOWN : wrote.value);
  }

  moment(): Moment {
    return this.#runtime.recorder.evidence.isOn ? this.#steps.mark() : null;
  }

  /** Something was told through a store, to be heard by whoever gets the same message. */
  noteMessage(id: string, kind: 'cause' | 'effect', moment: Moment): void {
    if (moment !== null && this.#messages++ < MOST_MESSAGES)
      this.#runtime.noteMeeting({ id, kind, step: moment });
  }

  /** The table or the like of this name in a store; of the same name in another store, it is another one. */
  space(store: string, name: string): Space {
    const id = `${store}\n${name}`;
    let space = this.#spaces.get(id);
    if (space === undefined) {
      const owner = this.#owners.get(name);
      if (owner === undefined) this.#owners.set(name, store);
      space = new Space(owner === undefined ? name : `${store} ${name}`, store);
      this.#spaces.set(id, space);
    }
    return space;
  }

  /** The store says that the caller has the lock: whoever had it before does not any more. */
  acquire(caller: Caller, name: string): HeldStoreLock {
    const { recorder } = this.#runtime;
    const lock = this.#locks.get(name) ?? new LockRecord(name, true);
    this.#locks.set(name, lock);
    let acquisition: number | null = null;
    recorder.callbacks.onBehalf(caller.activation, caller.registeredIn, () => {
      const activation = recorder.tasks.acting();
      if (lock.holder !== null && lock.holder !== activation.task) {
        lock.depth = 0;
        recorder.release(lock, lock.acquisition);
      }
      acquisition = recorder.acquire(lock, activation, caller.site);
    });
    return {
      release() {
        if (acquisition !== null) recorder.release(lock, acquisition);
      },
    };
  }

  /** A statement has been sent to a database. Two different ones from one place are enough to know that there are several. */
  noteStatement({ site }: Caller, text: string): void {
    const known = this.#statements.get(site);
    if (known === null || known?.text === text) return;
    const short = statementText(text);
    if (known?.short === short) return;
    this.#statements.set(site, known === undefined ? { text, short } : null);
    this.#runtime.noteStatement(site, short);
  }

  /** A statement of which it is not known what it does. */
  noteUnknown(store: Store, text: string): void {
    const statement = statementText(text);
    const id = `${store}\n${statement}`;
    if (this.#unknown.has(id) || this.#unknown.size === MOST_UNKNOWN) return;
    this.#unknown.add(id);
    this.#runtime.noteUnknownStatement({ store, statement });
  }
}

/** What the store itself has made. */
const NOBODYS = Symbol('made by the store');

/** Of a row or a document as a whole, it is only known whether there is one. */
const TOLD: ReadonlySet<StoreKind> = new Set(['column', 'key', 'field']);

function valueIn(row: object, name: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(row, name);
  return descriptor !== undefined && 'value' in descriptor ? descriptor.value : UNKNOWN;
}

function flagsOf({ isGuarded, isRefused, isRechecked, isPerhaps, isPart }: Effect): number {
  return (
    (isGuarded ? EventFlag.guarded : 0) |
    (isPerhaps ? EventFlag.perhaps : 0) |
    (isPart ? EventFlag.part : 0) |
    (isRefused ? EventFlag.refused : 0) |
    (isRechecked ? EventFlag.rechecked : 0)
  );
}

/** Most texts come again and again. */
const shownTexts = new Map<string, string>();
const MOST_SHOWN = 1000;

function shown(text: string): string {
  let line = shownTexts.get(text);
  if (line === undefined) {
    if (shownTexts.size >= MOST_SHOWN) shownTexts.clear();
    line = shortened(text);
    shownTexts.set(text, line);
  }
  return line;
}

/** In one line, without constants: what a program puts there may be a secret. */
function shortened(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST_TEXT)
    .replace(/'(?:[^']|'')*'?/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}
