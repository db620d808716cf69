import type { Activation } from '../core/activation.ts';
import { isWithin } from '../core/ancestry.ts';
import { ENDED, type Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';
import type { Recorder } from '../runtime/recorder.ts';
import { ExpectedAccesses, type OpenBlock } from './expected-accesses.ts';
import { fraction, mix } from './hashing.ts';
import type { Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';

/** What is allowed for holds of one kind. */
interface Allowance {
  /** The milliseconds that one lasts, if no rival comes. */
  readonly after: number;
  /** How often in vain at one place of the program. */
  readonly inVain: number;
  /** The milliseconds of all of them together. */
  readonly total: number;
}

/**
 * For variables that a block has looked at, and that tasks are known to share; for those that one task has had to itself so
 * far; and for those that the block has changed already, so that it is likely to be done with them. Where a lock of the
 * program's own keeps rivals out, a hold is always in vain, and keeps them from where they would be rivals.
 */
const SHARED: Allowance = { after: 500, inVain: 1, total: 6000 };
const PERHAPS: Allowance = { after: 500, inVain: 1, total: 3000 };
const CHANGED: Allowance = { after: 250, inVain: 1, total: 2000 };
const ALLOWANCES = [SHARED, PERHAPS, CHANGED];

/** The milliseconds that one block is held in all. */
const MOST_OF_BLOCK = 500;

/** A place at which so many holds have been worth it needs no more. */
const ENOUGH = 5;

/** With any seed but the first, this share of the places is left alone, so that others come into play. */
const FIRST_SEED = 1;
const LEFT_ALONE = 0.25;

/** What an operation on a file takes, in milliseconds. */
const FILE = 0.3;

/** So many are remembered who wait for a task. */
const MOST_WAITING = 8;

/** What is known of one place of the program, as reached by one chain of calls. */
interface Spot {
  inVain: number;
  worthIt: number;
}

/** A place that is left alone. */
const LEFT: Spot = { inVain: Number.POSITIVE_INFINITY, worthIt: 0 };

/** A task that is held back. */
interface Held {
  readonly block: OpenBlock;
  readonly spot: Spot;
  readonly variables: readonly VariableRecord[];
  isOver: boolean;
  end: () => void;
}

/**
 * Holds back whoever is about to go on inside of a block that others may come into: it has touched a variable that others
 * may touch, and is not done. Until a rival has done so, or it is somebody else's fault that none comes.
 */
export class ProvokePolicy implements Policy {
  readonly #seed: number;
  readonly #expected: ExpectedAccesses;
  readonly #spots = new Map<number, Spot>();
  readonly #watched = new Map<VariableRecord, Set<Held>>();
  readonly #held = new Set<Held>();
  /** Who waits for a task. */
  readonly #waiting = new WeakMap<Task, Activation[]>();
  readonly #spent = new Map<Allowance, number>();

  constructor(seed: number, { tasks }: Recorder) {
    this.#seed = seed;
    this.#expected = new ExpectedAccesses(tasks.log, (block, variable) => this.#rivalCame(block, variable));
  }

  begin(): void {
    this.#spots.clear();
    this.#spent.clear();
  }

  catchUp(): void {
    this.#expected.catchUp();
  }

  noteWait(activation: Activation, tasks: readonly Task[]): void {
    for (const task of tasks) {
      if (task.state === ENDED) continue;
      const waiting = this.#waiting.get(task);
      if (waiting === undefined) this.#waiting.set(task, [activation]);
      else if (waiting.length < MOST_WAITING) waiting.push(activation);
      for (const held of this.#held) if (held.block.task === task && this.#isAwaited(task)) held.end();
    }
  }

  /** Whoever finds that a lock of the program's own is taken is no rival of whoever has taken it. */
  noteBlocked(activation: Activation, variables: readonly VariableRecord[]): void {
    for (const held of this.#held)
      if (!held.block.hasTask(activation.task) && variables.some((variable) => held.block.hasSet(variable)))
        held.end();
  }

  /**
   * Whether somebody waits for the task who has nothing to do with it, as in a queue or behind a lock: no
   * rival comes.
   */
  #isAwaited(task: Task): boolean {
    return this.#waiting.get(task)?.some((activation) => !areRelated(activation, task)) === true;
  }

  hold({ activation, site }: Point, most: number): Hold | null {
    this.catchUp();
    const blocks = this.#expected.blocksOf(activation).filter((block) => block.held < MOST_OF_BLOCK);
    if (blocks.length === 0) return null;
    const place = placeOf(activation, site);
    for (const [kind, allowance] of ALLOWANCES.entries())
      for (const block of blocks) {
        const variables = this.#reasons(block, allowance);
        if (variables.length === 0) continue;
        // Somebody else is held already who waits for a rival: this may be one.
        if (allowance === PERHAPS && this.#isWatchedByOthers(block, variables)) return null;
        const spot = this.#spot(mix(place, kind));
        if (this.#isAwaited(block.task)) spot.inVain++;
        const spent = this.#spent.get(allowance) ?? 0;
        if (spot.inVain < allowance.inVain && spot.worthIt < ENOUGH && spent < allowance.total)
          return this.#holdFor(block, variables, spot, allowance, most);
      }
    return null;
  }

  /** What the block has touched that is worth a hold of this kind. */
  #reasons(block: OpenBlock, allowance: Allowance): VariableRecord[] {
    const foresight = this.#expected;
    return [...block.touched.keys()].filter((variable) => {
      if (foresight.isConstant(variable)) return false;
      const isShared = foresight.isContended(variable);
      if (!block.hasOnlyRead(variable)) return isShared && allowance === CHANGED;
      return allowance === (isShared ? SHARED : PERHAPS);
    });
  }

  #isWatchedByOthers(block: OpenBlock, variables: readonly VariableRecord[]): boolean {
    for (const variable of variables)
      for (const held of this.#watched.get(variable) ?? [])
        if (!held.isOver && !areFamily(held.block, block)) return true;
    return false;
  }

  #holdFor(
    block: OpenBlock,
    variables: readonly VariableRecord[],
    spot: Spot,
    allowance: Allowance,
    most: number,
  ): Hold {
    const held: Held = { block, spot, variables, isOver: false, end: () => {} };
    return {
      after: Math.min(allowance.after, MOST_OF_BLOCK - block.held, most),
      begun: (end) => {
        held.end = end;
        this.#watch(held);
      },
      over: (lasted) => {
        block.held += lasted;
        this.#spent.set(allowance, (this.#spent.get(allowance) ?? 0) + lasted);
        this.#over(held);
      },
    };
  }

  lateness(): number {
    return 0;
  }

  fileTime(): number {
    return FILE;
  }

  #spot(key: number): Spot {
    let spot = this.#spots.get(key);
    if (spot === undefined) {
      const isLeftAlone = this.#seed > FIRST_SEED && fraction(mix(this.#seed, key)) < LEFT_ALONE;
      spot = isLeftAlone ? LEFT : { inVain: 0, worthIt: 0 };
      this.#spots.set(key, spot);
    }
    return spot;
  }

  #watch(held: Held): void {
    this.#held.add(held);
    for (const variable of held.variables) {
      const others = this.#watched.get(variable) ?? new Set();
      // Two that are in the middle of something: one of them has to go first, and is the other's rival. Of what was only
      // read so far, nobody may ever be.
      const isContended = this.#expected.isContended(variable);
      for (const other of others) {
        if (!isContended || other.isOver || areFamily(other.block, held.block)) continue;
        other.isOver = true;
        other.end();
      }
      this.#watched.set(variable, others.add(held));
    }
  }

  #rivalCame(block: OpenBlock, variable: VariableRecord): void {
    for (const held of this.#watched.get(variable) ?? []) {
      if (held.isOver || held.block !== block) continue;
      held.isOver = true;
      held.spot.worthIt++;
      held.end();
    }
  }

  #over(held: Held): void {
    this.#held.delete(held);
    if (!held.isOver) held.spot.inVain++;
    held.isOver = true;
    for (const variable of held.variables) {
      const others = this.#watched.get(variable);
      others?.delete(held);
      if (others?.size === 0) this.#watched.delete(variable);
    }
  }
}

function areFamily(a: OpenBlock, b: OpenBlock): boolean {
  return a.hasTask(b.task) || b.hasTask(a.task);
}

/** Whether one of them has led to the other. */
function areRelated(activation: Activation, task: Task): boolean {
  return isWithin(activation, task) || isWithin(task.root?.caller ?? null, activation.task);
}

/** Where in the program, by the calls that lead there. */
function placeOf(activation: Activation, site: number): number {
  let key = site;
  for (let at: Activation | null = activation; at !== null; at = at.outer)
    key = mix(mix(key, at.site), at.calledAt);
  return key;
}
