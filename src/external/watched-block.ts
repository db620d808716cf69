import type { ViolationResult } from '../check/result.ts';
import type { Accesses } from '../explain/accesses.ts';
import type { PatternName, Severity } from '../explain/pattern.ts';
import type { EventFact } from '../explain/witness.ts';

/** An access of a watched block. */
export interface OwnFact extends EventFact {
  /** When its thread took the last one of the locks that it held; null if it held none. */
  lockedAt?: number | null;
}

export interface FoundInterference {
  pattern: PatternName;
  first: EventFact;
  between: EventFact;
  last: EventFact;
  severity: Severity;
  /** What the variable was called then: names are given to others later. */
  variable: string;
}

/** A block inside of a watched one. */
interface InnerBlock {
  label: number;
  begin: number;
  end: number;
  /** The variables that it has changed. */
  changes: Set<number>;
  inner: InnerBlock[];
}

/** What came between two calls of one function. */
interface Repetition {
  found: FoundInterference;
  operand: number;
  calls: readonly [InnerBlock, InnerBlock];
}

/** So many of them are remembered. */
const MOST_REPETITIONS = 100;

/** Two accesses in two critical sections, of which each may be a step that goes by what it finds. */
interface TwoSteps {
  found: FoundInterference;
  operand: number;
  /** Since when the last access has its lock. */
  lockedAt: number;
  /** The call inside of the block that is a step if it ever changes anything; undefined if it is the block itself. */
  call: InnerBlock | undefined;
  /** Whether the block changes what it reads last, without giving the lock back. */
  isChange: boolean;
}

const MOST_PLACES = 16;

/** One violated block while the trace passes by. */
export class WatchedBlock {
  readonly violation: ViolationResult;
  readonly variables = new Map<number, Accesses>();
  /** By variable: reads of it by the block after others had changed it. */
  readonly looks = new Map<number, EventFact[]>();
  /** By variable: what the block has read once more, now under a lock; it harms nothing unless it was no check. */
  readonly secondLooks = new Map<number, FoundInterference>();
  /** By variable: where others have changed it since the block did. */
  readonly #changesOfOthers = new Map<number, Set<number>>();
  /** Where the block has changed anything. */
  readonly changedAt = new Set<number>();
  /** By variable and place: when the block first read it there. */
  readonly #reads = new Map<number, Map<number, number>>();
  worst: FoundInterference | null = null;
  isOver = false;
  /** Whether there was an interference that `isHarmless` excuses. */
  isExcused = false;
  readonly #whole: InnerBlock = newBlock(0, 0);
  /** Those that are open, from the block itself inwards. */
  readonly #open: InnerBlock[] = [this.#whole];
  readonly #repetitions: Repetition[] = [];
  readonly #twoSteps: TwoSteps[] = [];

  /** The variable whose changes by threads that have looked at it before are no mere updates; null if there is none. */
  readonly lookedAt: string | null;

  constructor(violation: ViolationResult) {
    this.violation = violation;
    this.lookedAt = lookedAtByBoth(violation);
  }

  beginInner(label: number, begin: number): void {
    const made = newBlock(label, begin);
    this.#open.at(-1)?.inner.push(made);
    this.#open.push(made);
  }

  endInner(end: number): void {
    const last = this.#open.length > 1 ? this.#open.pop() : undefined;
    if (last !== undefined) last.end = end;
  }

  read(variable: number, { location, event }: EventFact): void {
    const places = this.#reads.get(variable) ?? new Map<number, number>();
    this.#reads.set(variable, places);
    if (places.size < MOST_PLACES && !places.has(location)) places.set(location, event);
  }

  /** Where the block has read the variable before that access to it. */
  readsBefore({ operand, event }: EventFact): number[] {
    const reads = [...(this.#reads.get(operand) ?? [])];
    return reads.filter(([, at]) => at < event).map(([location]) => location);
  }

  /** The block changes a variable; what others did is judged. */
  change({ operand: variable, location, lockedAt }: OwnFact): void {
    this.#changesOfOthers.delete(variable);
    if (this.changedAt.size < MOST_PLACES) this.changedAt.add(location);
    for (const { changes } of this.#open) changes.add(variable);
    for (const steps of this.#twoSteps)
      if (steps.operand === variable && steps.lockedAt === lockedAt && steps.found.pattern !== 'lost-update')
        steps.isChange = true;
  }

  /** Another thread changes a variable: what the block has looked at again is no longer so. */
  changeByOther(variable: number, location: number): void {
    this.looks.delete(variable);
    const places = this.#changesOfOthers.get(variable) ?? new Set();
    if (places.size < MOST_PLACES) this.#changesOfOthers.set(variable, places.add(location));
  }

  /** Where others have changed it since the block did; null if they did so in too many places. */
  changesOfOthers(variable: number): number[] | null {
    const places = this.#changesOfOthers.get(variable);
    return places?.size === MOST_PLACES ? null : [...(places ?? [])];
  }

  worsen(found: FoundInterference): void {
    if (this.worst === null || (found.severity === 'error' && this.worst.severity !== 'error'))
      this.worst = found;
  }

  /**
   * Whether two accesses are in two calls of one function, or in two rounds of its loop: what is repeated may be meant to be several
   * steps. It is judged when the block is over. Deep: also inside of a call that both are in.
   */
  isRepeated(found: FoundInterference, operand: number, isDeep: boolean): boolean {
    const [one, other] = this.#calls(found, isDeep);
    if (one === undefined || other === undefined || one === other || one.label !== other.label) return false;
    if (this.#repetitions.length < MOST_REPETITIONS)
      this.#repetitions.push({ found, operand, calls: [one, other] });
    return true;
  }

  /**
   * Whether they may be two steps, which is judged when the trace is over: what the block wrote it reads under a lock that it has taken
   * anew; or what a call read another call writes, which has looked before at what others have changed since.
   */
  mayBeTwoSteps(found: FoundInterference, { operand, lockedAt }: OwnFact): boolean {
    const { pattern, first } = found;
    if (lockedAt === undefined || lockedAt === null || lockedAt <= first.event) return false;
    const [one, other] = this.#calls(found, true);
    const isNewLook = pattern === 'overwritten-before-read';
    const isInformed =
      pattern === 'lost-update' &&
      one !== undefined &&
      other !== undefined &&
      [...this.looks.values()].some((looks) => (looks.at(-1)?.event ?? 0) > Math.max(other.begin, lockedAt));
    if (!isNewLook && !isInformed) return false;
    const call = isNewLook ? other : one;
    if (this.#twoSteps.length < MOST_REPETITIONS)
      this.#twoSteps.push({ found, operand, lockedAt, call, isChange: false });
    return true;
  }

  /** Whoever changes what it finds is right, whatever came before; and a call that changes something does not only tell what is there. */
  judgeTwoSteps(changing: ReadonlySet<number>): void {
    for (const { found, call, isChange } of this.#twoSteps.splice(0)) {
      const isMeant = isChange || (call !== undefined && changing.has(call.label));
      if (isChange && call !== undefined) this.isExcused = true;
      else this.worsen(isMeant ? { ...found, severity: 'warning' } : found);
    }
  }

  /** The calls that two accesses are in, of the block itself or, if deep, of a call that both are in. */
  #calls({ first, last }: FoundInterference, isDeep: boolean): (InnerBlock | undefined)[] {
    let around = this.#whole;
    for (;;) {
      const calls = [first, last].map(({ event }) => innerAt(around, event));
      if (!isDeep || calls[0] === undefined || calls[0] !== calls[1]) return calls;
      around = calls[0];
    }
  }

  /** How many blocks inside of this one an event is in. */
  depthAt(event: number): number {
    let depth = 0;
    for (let at = innerAt(this.#whole, event); at !== undefined; at = innerAt(at, event)) depth++;
    return depth;
  }

  /** The block is over. */
  end(changesAreSteps: boolean): void {
    this.isOver = true;
    if (this.secondLooks.size > 0) this.isExcused = true;
    for (const { found, operand, calls } of this.#repetitions) {
      if (changesAreSteps && calls.every(({ changes }) => changes.has(operand))) this.isExcused = true;
      else this.worsen({ ...found, severity: 'warning' });
    }
    this.variables.clear();
    this.looks.clear();
    this.#changesOfOthers.clear();
    this.secondLooks.clear();
    this.#reads.clear();
  }
}

/**
 * Updates commute; but where two threads have looked at a variable before either has updated it, none of them could have come first. Then no
 * three accesses show that, but a cycle: from the look of each to the update of the other.
 */
function lookedAtByBoth({ cycle, interference }: ViolationResult): string | null {
  const [out, back] = [cycle[0], cycle.at(-1)];
  if (interference || out === undefined || back === undefined || out === back) return null;
  const areLooks = [out, back].every(({ from, to }) => /r$/.test(from.op) && !/r$/.test(to.op));
  const variable = out.from.operand ?? null;
  return areLooks && cycle.every(({ from, to }) => from.operand === variable && to.operand === variable)
    ? variable
    : null;
}

function newBlock(label: number, begin: number): InnerBlock {
  return { label, begin, end: Number.POSITIVE_INFINITY, changes: new Set(), inner: [] };
}

/** The block directly inside of another one that the event is in. */
function innerAt({ inner }: InnerBlock, event: number): InnerBlock | undefined {
  let [low, high] = [0, inner.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inner[middle].begin <= event) low = middle + 1;
    else high = middle;
  }
  const found = inner[low - 1];
  return found !== undefined && event <= found.end ? found : undefined;
}
