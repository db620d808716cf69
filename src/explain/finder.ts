import type {
  BlockFact,
  ConflictFact,
  ForkJoin,
  ViolationFact,
  ViolationKind,
} from '../analyses/analysis.ts';
import type { EventBatch } from '../trace/batch.ts';
import { EventLookup } from './event-lookup.ts';
import { OpenBlockFacts } from './open-block-facts.ts';
import type { Severity } from './pattern.ts';
import { Sweep } from './sweep.ts';
import type { Explanation, StoryEvent } from './witness.ts';
import type { ClosingOperation } from './witness-cycle-search.ts';
import { WitnessSearch } from './witness-search.ts';

export interface ExplainOptions {
  forkJoin: ForkJoin;
  /** So many violations are explained, and at least one of each label, as far as there are no more than `most`. */
  limit?: number;
  /** No more violations than this are explained, however many labels there are. */
  most?: number;
  /** Of blocks with one label, so many are explained. */
  perLabel?: number;
  /** The trace is looked at so often at most; what was not found by then stays unexplained. */
  passes?: number;
  /**
   * Bounds time: the trace is looked at again until so many events have been seen, or four times as many as it has, and the
   * searches look at a tenth as many together. What was not found by then stays unexplained.
   */
  budget?: number;
  /** What was done at the events at which violations were noticed, as far as that is known. */
  noticed?: ReadonlyMap<ViolationFact, ClosingOperation>;
  /** Bounds memory: so many threads, variables and locks are remembered, over all searches of a pass. */
  entries?: number;
}

const DEFAULT_LIMIT = 1000;
const DEFAULT_MOST = 10_000;
const DEFAULT_PASSES = 10_000;
const DEFAULT_BUDGET = 100_000_000;
const DEFAULT_ENTRIES = 300_000;
/** To remember what an event did takes a search so much longer than to pass over one. */
const STEP = 10;
/** At least so often the trace is looked at, however long it is. */
const FEW_PASSES = 4;

/** What was observed has a cycle to be found; other kinds speak of other schedules, and name their events. */
const OBSERVED: ReadonlySet<ViolationKind> = new Set(['transaction', 'trace']);

/** Shared by all that have none, which may be a million. */
const NOTHING: readonly never[] = [];
const NO_VIOLATION = -1;

/**
 * Finds the witnesses of violations by further passes over the trace that they were found in:
 *
 *     while (finder.startPass())
 *       for (const batch of trace) if (!finder.look(batch)) break;
 *     finder.explanations();
 */
export class WitnessFinder {
  readonly #violations: readonly ViolationFact[];
  readonly #options: Required<ExplainOptions>;
  readonly #tasks: WitnessSearch[] = [];
  /** The task of each violation; none for those beyond the limit. */
  readonly #taskOf: (WitnessSearch | undefined)[];
  /**
   * The violations of blocks whose end is not yet known, by the number of the begin: the last of them, and for each the one before
   * it. Where a fork or join cut several blocks, their pieces share its number and differ in depth.
   */
  readonly #endings = new Map<number, number>();
  readonly #before: Int32Array;
  /** The event that ends each violated block; 0 while it is not known. */
  readonly #ends: Float64Array;
  /** Looks up what the events did that analyses named. */
  readonly #lookup: EventLookup;
  #sweep: Sweep | null = null;
  #passes = 0;
  /** Events seen in all passes, and in the first. */
  #seen = 0;
  #length = 0;
  /** Events that searches have looked at. */
  #steps = 0;

  constructor(violations: readonly ViolationFact[], options: ExplainOptions) {
    this.#violations = violations;
    this.#options = {
      forkJoin: options.forkJoin,
      limit: options.limit ?? DEFAULT_LIMIT,
      most: options.most ?? DEFAULT_MOST,
      perLabel: options.perLabel ?? Number.POSITIVE_INFINITY,
      passes: options.passes ?? DEFAULT_PASSES,
      budget: options.budget ?? DEFAULT_BUDGET,
      noticed: options.noticed ?? new Map(),
      entries: options.entries ?? DEFAULT_ENTRIES,
    };
    this.#taskOf = new Array(violations.length);
    this.#ends = new Float64Array(violations.length);
    this.#before = new Int32Array(violations.length).fill(NO_VIOLATION);
    this.#chooseTasks();
    this.#lookup = new EventLookup(violations.flatMap(namedEvents));
    violations.forEach(({ block }, violation) => {
      if (block === null) return;
      this.#before[violation] = this.#endings.get(block.begin) ?? NO_VIOLATION;
      this.#endings.set(block.begin, violation);
    });
  }

  /** Ends a pass, if there was one, and says whether the trace is to be shown again, from its first event. */
  startPass(): boolean {
    const sweep = this.#sweep;
    if (sweep !== null) this.#endPass(sweep);
    this.#sweep = null;
    if (this.#passes === this.#options.passes || this.#isSpent) return false;
    const blocks = new OpenBlockFacts(this.#options.forkJoin === 'boundary', this.#blockEnded);
    const searches = this.#tasks.flatMap((task) => task.nextSearch(blocks) ?? []);
    const isIdle = this.#passes > 0 || (this.#endings.size === 0 && this.#lookup.isDone);
    if (searches.length === 0 && isIdle) return false;
    this.#sweep = new Sweep(searches, blocks, this.#options.entries);
    this.#passes++;
    return true;
  }

  #endPass(sweep: Sweep): void {
    if (this.#passes === 1) this.#length = this.#seen;
    this.#steps += sweep.steps;
    for (const task of this.#tasks)
      task.conclude({
        wasPutOff: (search) => sweep.wasPutOff(search),
        wasGivenUp: (search) => sweep.wasGivenUp(search),
      });
  }

  /** Whether no more time is to be spent. */
  get #isSpent(): boolean {
    const { budget } = this.#options;
    return STEP * this.#steps > budget || this.#seen > Math.max(budget, (FEW_PASSES - 1) * this.#length);
  }

  /** Looks at the next events of the trace; false when this pass needs to see no more. */
  look(batch: EventBatch): boolean {
    const sweep = this.#sweep;
    if (sweep === null) throw new Error('a pass has to be started first');
    this.#seen += batch.length;
    if (STEP * (this.#steps + sweep.steps) > this.#options.budget) sweep.stop();
    sweep.look(batch);
    if (this.#passes === 1) this.#lookup.look(batch);
    return !sweep.idle || (this.#passes === 1 && !(this.#endings.size === 0 && this.#lookup.isDone));
  }

  /** One for each violation, in the order in which they were given. */
  explanations(): Explanation[] {
    const worst = this.#worstByLabel();
    return this.#violations.map((violation, i) => {
      const task = this.#taskOf[i];
      const witness = task?.witness ?? null;
      return {
        violation,
        witness,
        unexplained:
          witness !== null || !isObserved(violation) ? null : task?.isHopeless ? 'no-cycle' : 'limit',
        story: this.#storyOf(violation),
        pairs: this.#pairsOf(violation),
        severity: witness?.severity ?? worst.get(labelOf(violation)) ?? 'warning',
        blockBegin: violation.block === null ? null : (this.#lookup.get(violation.block.begin) ?? null),
        blockEnd: this.#ends[i] || null,
        subtrace: null,
      };
    });
  }

  /** Several analyses may report the same; it is looked for once. */
  #chooseTasks(): void {
    const byKey = new Map<string, WitnessSearch>();
    const labels = new Map<number | null, number>();
    const choose = (violation: ViolationFact, i: number) => {
      if (!isObserved(violation)) return;
      const { kind, event, thread, block } = violation;
      const place = block === null ? `in ${thread}` : `${block.begin} ${block.depth}`;
      const key = `${kind} ${event} ${place}`;
      let task = byKey.get(key);
      if (task === undefined) {
        const { limit, most, perLabel } = this.#options;
        if (this.#tasks.length >= most) return;
        const ofLabel = labels.get(labelOf(violation)) ?? 0;
        if (ofLabel >= perLabel || (this.#tasks.length >= limit && ofLabel > 0)) return;
        task = new WitnessSearch(
          violation,
          this.#options.forkJoin,
          this.#options.noticed.get(violation) ?? null,
        );
        labels.set(labelOf(violation), ofLabel + 1);
        byKey.set(key, task);
        this.#tasks.push(task);
      }
      this.#taskOf[i] = task;
    };
    this.#violations.forEach(choose);
  }

  #storyOf({ related = NOTHING }: ViolationFact): readonly StoryEvent[] {
    if (related.length === 0) return NOTHING;
    return related.flatMap(({ event, role }) => {
      const seen = this.#lookup.get(event);
      return seen === undefined ? [] : [{ role, seen }];
    });
  }

  #pairsOf(violation: ViolationFact): Explanation['pairs'] {
    const pairs = pairsNamed(violation);
    if (pairs.length === 0) return NOTHING;
    return pairs.flatMap((pair) => {
      const from = this.#lookup.get(pair.from);
      const to = this.#lookup.get(pair.to);
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  }

  readonly #blockEnded = (block: BlockFact, event: number): void => {
    let violation = this.#endings.get(block.begin);
    if (violation === undefined) return;
    let others = NO_VIOLATION;
    while (violation !== NO_VIOLATION) {
      const before: number = this.#before[violation];
      if (this.#violations[violation].block!.depth === block.depth) {
        this.#ends[violation] = event;
      } else {
        this.#before[violation] = others;
        others = violation;
      }
      violation = before;
    }
    if (others === NO_VIOLATION) this.#endings.delete(block.begin);
    else this.#endings.set(block.begin, others);
  };

  #worstByLabel(): Map<number | null, Severity> {
    const worst = new Map<number | null, Severity>();
    for (const { violation, witness } of this.#tasks) {
      if (witness === null || worst.get(labelOf(violation)) === 'error') continue;
      worst.set(labelOf(violation), witness.severity);
    }
    return worst;
  }
}

/** For what was observed the finder looks for a cycle of its own. */
function pairsNamed(violation: ViolationFact): readonly ConflictFact[] {
  return isObserved(violation) ? NOTHING : (violation.cycle ?? NOTHING);
}

function namedEvents(violation: ViolationFact): number[] {
  const related = (violation.related ?? []).map(({ event }) => event);
  const begin = violation.block === null ? [] : [violation.block.begin];
  return [...related, ...begin, ...pairsNamed(violation).flatMap(({ from, to }) => [from, to])];
}

function isObserved({ kind }: ViolationFact): boolean {
  return OBSERVED.has(kind);
}

function labelOf({ block }: ViolationFact): number | null {
  return block?.label ?? null;
}
