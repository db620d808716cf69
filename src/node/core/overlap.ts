import { Op } from '../../trace/operation.ts';
import type { Activation } from './activation.ts';
import { type Log, placeInChunk } from './log.ts';
import { KEPT, LEFT_OUT, SOME_ENDED, type Task, UNDECIDED } from './task.ts';
import type { VariableRecord } from './variable.ts';

/*
 * What nobody can come into needs no trace. A block is violated through accesses that conflict and that both come while it goes on, or
 * while something goes on that it has started. Most requests of a server have none: what they read was written long before, and what
 * they count others only count, too. The task of such a request is left out of the trace, with its fork and its join.
 */

/* Of a span: all that happened since its begin was done in it; or others have done something; or it is not followed any more. */
const ALONE = 0;
const MET = 1;
const FORGOTTEN = 2;

/** A call or a callback, and all that it leads to: from when to when that goes on. */
export class Span {
  /** What it is a part of. */
  readonly parent: Span | null;
  /** The entries of the log between which it goes on; the second one is -1 until it is over. */
  readonly begin: number;
  end = -1;
  /** How many calls, callbacks and spans in it are not over. */
  going = 0;
  /** How many callbacks have led to it one after the other. */
  readonly links: number;
  /** The innermost span around it that is alone, as far as that was asked. */
  around: Span | null;
  state: typeof ALONE | typeof MET | typeof FORGOTTEN = ALONE;
  /** Whether its tasks are in the trace in any case; and how many callbacks may come of it when it is over, for which they have to be. */
  isKept = false;
  later = 0;

  constructor(parent: Span | null, begin: number, links: number) {
    this.parent = parent;
    this.around = parent;
    this.begin = begin;
    this.links = links;
  }
}

/** In the list of those that go on, so many that are over are let be. */
const FEW = 64;

/** What goes on by more callbacks than that is a loop: each round is one by itself (`judgement/overlooked-search.ts` does the same). */
const MOST_LINKS = 64;

/** More that go on are not followed: nobody may ever tell that they are over. */
const MOST = 1 << 15;

/** In place of the only task that has accessed a variable. */
const SEVERAL = SOME_ENDED;

const READS = 1 << Op.read;
const UPDATES = 1 << Op.update;

/** Whether accesses of these kinds conflict with none of each other. */
function areCalm(kinds: number): boolean {
  return kinds === READS || kinds === UPDATES;
}

/** Knows what goes on at the same time, and so which tasks may be part of a cycle. */
export class Overlap {
  readonly #log: Log;
  /** What began before this entry of the log is in the trace. */
  #from: number;
  /**
   * Since it began, all that happened was in it; the same holds for those that it is a part of. Whatever conflicts in there, it is
   * not violated by that itself.
   */
  #innermost: Span | null = null;
  /** In which something was done last. */
  #acting: Span | null = null;
  /** All others that go on, by their begins, and some that are over. */
  #met: Span[] = [];
  #first = 0;
  #going = 0;
  /** By site: 1 if a call of that function has begun. */
  #called = new Uint8Array(256);

  /** `from`: infinite if everything is to be in the trace. */
  constructor(log: Log, from: number) {
    this.#log = log;
    this.#from = from;
  }

  /** From here on, everything is in the trace. */
  stop(): void {
    this.#from = Number.POSITIVE_INFINITY;
  }

  /** Whether anything is left out. */
  get isOn(): boolean {
    return this.#from !== Number.POSITIVE_INFINITY;
  }

  // ---- What goes on ------------------------------------------------------------------------------------------------

  /** A call or a callback begins, which goes on until `leave`; `held`: for which a callback was registered. */
  begin(activation: Activation, held: Span | null = null): void {
    if (!this.isOn || activation.isGoing) return;
    let span = held ?? activation.caller?.span ?? null;
    while (span !== null && span.end >= 0) span = span.parent;
    if (span !== null && activation.links > MOST_LINKS) {
      span = aroundLoop(span);
      activation.links = 1;
    }
    if (span === null || span.state === ALONE) {
      this.#act(span);
      const parent: Span | null = span;
      if (parent !== null) parent.going++;
      span = new Span(parent, this.#log.next, activation.links);
      this.#innermost = span;
      this.#acting = span;
    }
    span.going++;
    activation.span = span;
    activation.isGoing = true;
    if (activation.isCall) this.#noteCall(activation.site, span);
  }

  /** The first call of each function is in the trace, and so is its label. */
  #noteCall(site: number, span: Span): void {
    if (this.#called[site] === 1) return;
    if (site >= this.#called.length) {
      const called = new Uint8Array(2 * site);
      called.set(this.#called);
      this.#called = called;
    }
    this.#called[site] = 1;
    keep(span);
  }

  /** A callback was registered; `isLater`: in a while, or again and again, so that nothing is to wait for it. */
  hold(task: Task, activation: Activation, isLater: boolean): void {
    const { span } = activation;
    if (span === null || span.end >= 0) return;
    if (isLater) {
      task.later = span;
      addLater(span, 1);
      return;
    }
    span.going++;
    task.held = span;
  }

  /** It is called now. */
  release(task: Task): void {
    const { held } = task;
    task.held = null;
    task.later = null;
    if (held !== null) this.#leave(held);
  }

  /** It never will be. */
  giveUp(task: Task): void {
    if (task.later !== null) addLater(task.later, -1);
    this.release(task);
  }

  leave(activation: Activation): void {
    if (!activation.isGoing) return;
    activation.isGoing = false;
    this.#leave(activation.span as Span);
  }

  #leave(span: Span): void {
    let over: Span | null = span;
    while (over !== null && --over.going === 0) {
      over.end = this.#log.next;
      if (over.state === MET) this.#going--;
      else if (this.#innermost === over) this.#innermost = over.parent;
      over = over.parent;
    }
  }

  /** Something is done in it, and so nobody else has been alone. */
  #act(span: Span | null): void {
    if (this.#acting === span) return;
    this.#acting = span;
    const around = span === null || isAlone(span) ? span : aloneAround(span);
    while (this.#innermost !== around && this.#innermost !== null) {
      const met: Span = this.#innermost;
      this.#innermost = met.parent;
      this.#meet(met);
    }
  }

  #meet(span: Span): void {
    span.state = MET;
    this.#going++;
    if (this.#met.length > FEW + 2 * this.#going) {
      this.#met = this.#met.filter(({ end }) => end < 0);
      this.#first = 0;
      if (this.#going > MOST) this.#forgetOldest();
    }
    const met = this.#met;
    met.push(span);
    for (let i = met.length - 1; i > this.#first && met[i - 1].begin > span.begin; i--) {
      met[i] = met[i - 1];
      met[i - 1] = span;
    }
  }

  /** The older half of what goes on is in the trace, and what it conflicts with from here on need not be. */
  #forgetOldest(): void {
    const forgotten = this.#met.splice(0, this.#met.length >>> 1);
    this.#going -= forgotten.length;
    for (const span of forgotten) {
      keep(span);
      span.state = FORGOTTEN;
    }
  }

  /** Where that began which has met others and goes on for longest. Before that, nothing matters any more. */
  get oldest(): number {
    const met = this.#met;
    while (this.#first < met.length && met[this.#first].end >= 0) this.#first++;
    return this.#first < met.length ? met[this.#first].begin : Number.POSITIVE_INFINITY;
  }

  // ---- What conflicts ----------------------------------------------------------------------------------------------

  /** The next entry of the log is such an access. */
  access(variable: VariableRecord, kind: number, task: Task, span: Span | null): void {
    if (!this.isOn) return;
    this.#act(span);
    const oldest = this.oldest;
    const bit = 1 << kind;
    if (variable.last < oldest) {
      variable.accessedAs = bit;
      variable.accessedBy = task;
      variable.accessedFrom = this.#log.next;
    } else if (variable.accessedBy === task || areCalm(variable.accessedAs | bit)) {
      variable.accessedAs |= bit;
      if (variable.accessedBy !== task) variable.accessedBy = SEVERAL;
      if (variable.contended >= oldest) need(task);
    } else {
      this.#contend(variable, oldest);
      need(task);
      variable.contended = this.#log.next;
      variable.accessedAs = bit;
      variable.accessedBy = task;
      variable.accessedFrom = this.#log.next;
    }
  }

  /** A variable is read that has no record. */
  read(span: Span | null): void {
    if (this.isOn) this.#act(span);
  }

  /** An access is added to those that are known of it, where it was in the log. */
  add(variable: VariableRecord, kind: number, task: Task, entry: number): void {
    if (variable.accessedAs === 0) {
      variable.accessedBy = task;
      variable.accessedFrom = entry;
    } else if (variable.accessedBy !== task) variable.accessedBy = SEVERAL;
    variable.accessedAs |= 1 << kind;
  }

  /** Whoever has accessed the variable since this entry conflicts with somebody, or may. */
  #contend(variable: VariableRecord, since: number): void {
    for (let entry = variable.last; entry >= since && entry > variable.contended; ) {
      const chunk = this.#log.chunkOf(entry);
      if (chunk === null) return;
      const i = placeInChunk(entry);
      const task = chunk.task[i];
      if (task !== null) need(task);
      entry = chunk.prior[i];
    }
  }

  /** An access after the entry `from` was not by one task, but by the other one. */
  relabel(variable: VariableRecord, from: number, old: Task, task: Task): void {
    if (!this.isOn) return;
    if (variable.contended > from) need(task);
    if (variable.accessedBy !== old) return;
    if (variable.accessedFrom > from) {
      variable.accessedBy = task;
      return;
    }
    variable.accessedBy = SEVERAL;
    const oldest = this.oldest;
    if (areCalm(variable.accessedAs) || variable.last < oldest) return;
    this.#contend(variable, oldest);
    variable.contended = variable.last;
  }

  /** Something is done that is not followed here. */
  keep(activation: Activation): void {
    if (!this.isOn) return;
    this.#act(activation.span);
    if (activation.span !== null) keep(activation.span);
  }

  /** Whether nothing of the task is in the trace; to be asked in the order of the log. */
  isLeftOut(task: Task): boolean {
    if (task.fate === UNDECIDED) {
      const { span, forkedBy } = task;
      const isOver = span !== null && span.end >= 0 && span.end <= this.oldest && span.begin >= this.#from;
      const isNothing = isOver && !span.isKept && span.later === 0 && !task.isNeeded;
      task.fate = isNothing || forkedBy?.task.fate === LEFT_OUT ? LEFT_OUT : KEPT;
      task.forkedBy = null;
    }
    return task.fate === LEFT_OUT;
  }
}

/** The task has to be in the trace, and so have those that have led to it. */
export function need(task: Task): void {
  for (let needed: Task | undefined = task; needed !== undefined && !needed.isNeeded; ) {
    needed.isNeeded = true;
    const forkedBy: Activation | null = needed.forkedBy;
    if (forkedBy?.background) forkedBy.background.isNeeded = true;
    needed = forkedBy?.task;
  }
}

function keep(span: Span): void {
  for (let kept: Span | null = span; kept !== null && !kept.isKept; kept = kept.parent) kept.isKept = true;
}

function addLater(span: Span, count: number): void {
  for (let part: Span | null = span; part !== null; part = part.parent) part.later += count;
}

/** What is around a loop of callbacks, each of which is forked by the one before it all the same. */
function aroundLoop(span: Span): Span | null {
  addLater(span, 1);
  if (span.state !== ALONE) return aloneAround(span);
  let around: Span | null = span;
  while (around !== null && around.links > 0) around = around.parent;
  return around;
}

function isAlone({ state, end }: Span): boolean {
  return state === ALONE && end < 0;
}

/** The innermost one around it that is; those that are not never will be again. */
function aloneAround(span: Span): Span | null {
  let { around } = span;
  while (around !== null && !isAlone(around)) around = around.around;
  span.around = around;
  return around;
}
