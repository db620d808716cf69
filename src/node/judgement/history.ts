import type { ViolationResult } from '../../check/result.ts';
import { BLOCKS_PER_LABEL } from '../../check/second-look.ts';
import type { EventBatch } from '../../trace/batch.ts';
import { EventFlag, type TraceFacts } from '../../trace/facts.ts';
import { locationText } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { accessKind, isAccess, Op } from '../../trace/operation.ts';
import type { Access, Activation } from './access.ts';
import { HeldLocks } from './held-locks.ts';
import { Holders } from './holders.ts';
import { ServedBlocks } from './served.ts';
import { TaskOrder } from './task-order.ts';

/** Accesses to one variable that are kept; what comes later is not looked at. */
const MOST_ACCESSES = 20_000;

/** In place of a run: one before that in which the first event of a block was. */
const LONG_AGO = -1;

const NOTHING_SEEN: ReadonlyMap<number, number> = new Map();

const LETTERS = ['r', 'w', 'u'] as const;

/** A violated block. */
export interface WatchedBlock {
  violation: ViolationResult;
  begin: number;
  /** The event at which it ended; infinite if it has not. */
  end: number;
  /** Its own thread; those of its family are others. */
  thread: number;
  /** The variables that it, or what it has started, has accessed. */
  variables: Set<number>;
  /** The begin of the block in which its task was started; 0 if there is none. */
  startedIn: number;
  /** Whether it is a task of the event loop, which begins with its first access, and all that it has led to. */
  isHandler: boolean;
}

/** A block for which others read. */
interface Reader {
  thread: number;
  begin: number;
  families: readonly number[];
}

/** A block that has asked another process for something, there, by this fork. */
interface Asker extends Reader {
  fork: number;
  location: string | null;
}

/** What violated blocks and everybody else did to the variables of those blocks, in the order of the trace. */
export class History {
  readonly order = new TaskOrder();
  readonly locks = new HeldLocks();
  /** By begin. */
  readonly blocks = new Map<number, WatchedBlock>();
  readonly #names: TraceNames;
  readonly #facts: TraceFacts;
  /** Per thread: the begins of the watched blocks in whose families its events are, outermost first (SEMANTICS: families). */
  readonly #families: (readonly number[] | undefined)[] = [];
  /** Per thread: the begins of the blocks that are open. */
  readonly #open: number[][] = [];
  /** Per thread: the begin of the block in which it was started. */
  readonly #startedIn: (number | undefined)[] = [];
  /** Per thread: the innermost call that is going on, within watched blocks. */
  readonly #within: (Activation | null | undefined)[] = [];
  /** The begins of blocks that are not meant to be atomic. */
  readonly #excluded = new Set<number>();
  readonly #isMeant: (label: string) => boolean;
  /** Whether a property is written there by a name that was computed. */
  readonly #isKeyed: (location: string | null) => boolean;
  /** Per thread: how many blocks have begun. */
  readonly #begins: number[] = [];
  /** The begins of blocks that own variables, by thread and number. */
  readonly #owners = new Map<string, { begin: number; families: readonly number[] }>();
  readonly #wanted: ReadonlySet<number> | null;
  readonly #accesses: (Access[] | undefined)[] = [];
  readonly #holders = new Holders();
  readonly #served: ServedBlocks<Reader>;
  /** Per thread: the request of a block to another process that it works for, and where the block has made it. */
  readonly #calls: (Asker | undefined)[] = [];
  /** The runs in which blocks that are open have begun. */
  readonly #runOf = new Map<number, number>();
  #thread = -1;
  #run = 0;
  /** By thread: the last of its writes that was read in this run. */
  #seen = new Map<number, number>();
  /** Where elements of arrays were read in this run. */
  #scanned = new Set<string | null>();
  /** The last place where the size of something was read in this run. */
  #sizedAt = -1;
  /** By variable: its last writer, and that event. */
  readonly #writer: number[] = [];
  readonly #writtenAt: number[] = [];

  /** `wanted`: the variables whose accesses are kept; without it, only those are found that the blocks have accessed. */
  constructor(
    names: TraceNames,
    facts: TraceFacts,
    violations: readonly ViolationResult[],
    wanted: ReadonlySet<number> | null,
    isMeant: (label: string) => boolean,
    isKeyed: (location: string | null) => boolean = () => false,
  ) {
    this.#isMeant = isMeant;
    this.#isKeyed = isKeyed;
    this.#wanted = wanted;
    this.#names = names;
    this.#facts = facts;
    this.#served = new ServedBlocks(names, wanted === null ? [] : facts.served);
    const labels = new Map<string, number>();
    for (const violation of violations) {
      const { block, kind } = violation;
      if (block === null || kind !== 'transaction') continue;
      const count = labels.get(block.label) ?? 0;
      labels.set(block.label, count + 1);
      const { begin } = block;
      if (count < BLOCKS_PER_LABEL)
        this.blocks.set(begin, {
          violation,
          begin,
          end: Number.POSITIVE_INFINITY,
          thread: -1,
          variables: new Set(),
          startedIn: 0,
          isHandler: false,
        });
    }
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      const thread = batch.thread[i];
      const operand = batch.operand[i];
      const event = batch.firstEvent + i;
      if (thread !== this.#thread) {
        this.#thread = thread;
        this.#run++;
        if (this.#seen.size > 0) this.#seen = new Map();
        if (this.#scanned.size > 0) this.#scanned = new Set();
        this.#sizedAt = -1;
      }
      this.order.step(event, thread);
      if (isAccess(op)) this.#access(event, thread, op, operand, batch.location[i]);
      else if (op === Op.begin) this.#begin(thread, event, operand, batch.location[i]);
      else if (op === Op.end) this.#end(thread, event);
      else if (op === Op.fork) this.#fork(event, thread, operand, batch.location[i]);
      else if (op === Op.join) this.#join(event, thread, operand);
      else if (op === Op.acquire) this.locks.acquire(thread, operand);
      else if (op === Op.release) this.locks.release(thread, operand);
      else if (op === Op.send && this.#familiesOf(thread).length > 0) this.order.send(event, thread, operand);
      else if (op === Op.receive && this.#familiesOf(thread).length > 0)
        this.order.receive(event, thread, operand);
    }
  }

  accesses(variable: number): readonly Access[] {
    return this.#accesses[variable] ?? [];
  }

  /** Whether a variable came to be in a call that is part of the block. */
  isOwn(variable: number, block: WatchedBlock): boolean {
    const owner = this.#facts.variables.get(this.#names.variables.text(variable))?.owner;
    if (owner === undefined) return false;
    const found = this.#owners.get(`${owner.begin} ${owner.thread}`);
    return found !== undefined && (found.begin === block.begin || found.families.includes(block.begin));
  }

  #familiesOf(thread: number): readonly number[] {
    return this.#families[thread] ?? [];
  }

  #fork(event: number, thread: number, child: number, location: number): void {
    const families = this.#familiesOf(thread);
    this.#families[child] = families.filter((begin) => !Number.isFinite(this.blocks.get(begin)?.end));
    this.#open[child] = [];
    this.#startedIn[child] = this.#open[thread]?.at(-1) ?? this.#startedIn[thread];
    this.#within[child] = families.length === 0 ? null : (this.#within[thread] ?? null);
    this.locks.fork(thread, child);
    this.#begins[child] = 0;
    this.#served.fork(child);
    this.#calls[child] = this.#calls[thread];
    if (families.length === 0) return;
    const kind = this.#facts.tasks.get(this.#names.threads.text(child))?.kind;
    if (kind === 'request')
      this.#calls[child] = {
        thread,
        begin: this.#open[thread]?.at(-1) ?? 0,
        families: this.#families[child],
        fork: event,
        location: locationText(this.#names.locations, location),
      };
    if (kind === 'background') this.order.forkBackground(event, thread, child);
    else this.order.fork(event, thread, child);
  }

  #join(event: number, thread: number, task: number): void {
    if (this.#familiesOf(thread).length > 0) this.order.join(event, thread, task);
    else this.order.end(event, task);
  }

  #begin(thread: number, event: number, label: number, location: number): void {
    this.#open[thread] ??= [];
    this.#open[thread].push(event);
    const isLate = ((this.#facts.flags.get(event) ?? 0) & EventFlag.late) !== 0;
    this.#runOf.set(event, isLate ? LONG_AGO : this.#run);
    if (!this.#isMeant(this.#names.labels.text(label))) this.#excluded.add(event);
    const block = this.blocks.get(event);
    if (block !== undefined) {
      block.thread = thread;
      block.startedIn = this.#startedIn[thread] ?? 0;
      this.#families[thread] = [...this.#familiesOf(thread), event];
    }
    const count = (this.#begins[thread] ?? 0) + 1;
    this.#begins[thread] = count;
    const families = this.#familiesOf(thread);
    if (families.length > 0)
      this.#within[thread] = {
        begin: event,
        location: locationText(this.#names.locations, location),
        outer: this.#within[thread] ?? null,
      };
    this.#served.begin(thread, { thread, begin: event, families });
    if (families.length > 0)
      this.#owners.set(`${count} ${this.#names.threads.text(thread)}`, { begin: event, families });
  }

  /** What a task does that the event loop has started, and all that it leads to. */
  #beginHandler(thread: number, block: WatchedBlock): void {
    block.isHandler = true;
    block.thread = thread;
    this.#families[thread] = [...this.#familiesOf(thread), block.begin];
  }

  #end(thread: number, event: number): void {
    const begin = this.#open[thread]?.pop();
    if (begin !== undefined) this.#runOf.delete(begin);
    const within = this.#within[thread];
    if (within && within.begin === begin) this.#within[thread] = within.outer;
    this.#served.end(thread);
    const block = begin === undefined ? undefined : this.blocks.get(begin);
    if (block === undefined) return;
    block.end = event;
    this.#families[thread] = this.#familiesOf(thread).filter((other) => other !== begin);
  }

  #access(event: number, thread: number, op: Op, variable: number, location: number): void {
    const handler = this.blocks.get(event);
    if (handler !== undefined) this.#beginHandler(thread, handler);
    const families = this.#familiesOf(thread);
    for (const begin of families) this.blocks.get(begin)?.variables.add(variable);
    if (this.#wanted === null) return;
    const isRead = accessKind(op) === Op.read;
    this.#noteSeen(event, thread, !isRead, variable);
    if (isRead) {
      this.#holders.read(thread, variable, location);
      const kind = this.#kindOf(variable);
      if (kind === 'element') this.#scanned.add(locationText(this.#names.locations, location));
      else if (kind === 'size') this.#sizedAt = location;
    } else {
      const holder = this.#holders.of(thread, variable, location);
      if (holder !== null && this.#isContent(variable, location))
        this.#add(event, thread, op, holder, location, variable);
    }
    this.#add(event, thread, op, variable, location, null);
    const call = this.#calls[thread];
    if (call !== undefined) this.#addCalled(call, variable);
    if (!isRead) return;
    for (const { block, location: place } of this.#served.servedBy(thread))
      if (block.thread !== thread) this.#addFor(block, event, op, variable, place);
  }

  /** Whether it is part of a list, Map or Set, or of an object that is used like one. */
  #isContent(variable: number, location: number): boolean {
    const kind = this.#kindOf(variable);
    if (kind === 'property' || kind === 'keys')
      return this.#isKeyed(locationText(this.#names.locations, location));
    return kind === 'size' || kind === 'entry' || kind === 'element';
  }

  #kindOf(variable: number): string {
    return this.#facts.variables.get(this.#names.variables.text(variable))?.kind ?? 'property';
  }

  #isLength(variable: number): boolean {
    return this.#facts.variables.get(this.#names.variables.text(variable))?.list === true;
  }

  #add(
    event: number,
    thread: number,
    op: Op,
    variable: number,
    location: number,
    inside: number | null,
  ): void {
    if (!this.#wanted?.has(variable)) return;
    this.#accesses[variable] ??= [];
    const accesses = this.#accesses[variable];
    if (accesses.length >= MOST_ACCESSES) return;
    const activation = this.#open[thread]?.at(-1) ?? 0;
    const isRead = accessKind(op) === Op.read;
    accesses.push({
      event,
      thread,
      op,
      letter: LETTERS[accessKind(op) as 0 | 1 | 2],
      location: locationText(this.#names.locations, location),
      flags: this.#facts.flags.get(event) ?? 0,
      run: this.#run,
      activation,
      startedIn: this.#startedIn[thread] ?? 0,
      within: this.#within[thread] ?? null,
      isFirst: activation > 0 && this.#runOf.get(activation) === this.#run,
      excludedIn: this.#open[thread]?.findLast((begin) => this.#excluded.has(begin)) ?? 0,
      locks: this.locks.of(thread),
      families: this.#familiesOf(thread),
      seen: this.#seen.size === 0 || isRead ? NOTHING_SEEN : new Map(this.#seen),
      inside,
      ...(this.#isLength(inside ?? variable) ? { ofLength: true as const } : {}),
      ...(isRead && location === this.#sizedAt ? { isOfAll: true as const } : {}),
      ...(isRead || this.#scanned.size === 0 ? {} : { scannedAt: new Set(this.#scanned) }),
    });
  }

  /** What was done last, for a block in another process: as if that had done it where it asked for it. */
  #addCalled(call: Asker, variable: number): void {
    const accesses = this.#accesses[variable];
    const original = accesses?.at(-1);
    if (original === undefined || !this.#wanted?.has(variable)) return;
    original.call = call.fork;
    const { thread, begin: activation, families, location } = call;
    accesses?.push({ ...original, thread, activation, families, location, isFirst: false, original });
  }

  /** A read that was made for a block, as if that had made it. */
  #addFor({ thread, begin, families }: Reader, event: number, op: Op, variable: number, place: string): void {
    if (!this.#wanted?.has(variable)) return;
    this.#accesses[variable] ??= [];
    const accesses = this.#accesses[variable];
    if (accesses.length >= MOST_ACCESSES) return;
    accesses.push({
      event,
      thread,
      op,
      letter: 'r',
      location: place,
      flags: 0,
      run: this.#run,
      activation: begin,
      startedIn: 0,
      within: null,
      isFirst: false,
      isServed: true,
      excludedIn: 0,
      locks: [],
      families,
      seen: NOTHING_SEEN,
      inside: null,
    });
  }

  #noteSeen(event: number, thread: number, isChange: boolean, variable: number): void {
    if (isChange) {
      this.#writer[variable] = thread;
      this.#writtenAt[variable] = event;
      return;
    }
    const writer = this.#writer[variable];
    if (writer === undefined || writer === thread) return;
    this.#seen.set(writer, Math.max(this.#seen.get(writer) ?? 0, this.#writtenAt[variable]));
  }
}
