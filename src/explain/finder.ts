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
  /** So many violations are explained, and at least one of each label. */
  limit?: number;
  /** Of blocks with one label, so many are explained. */
  perLabel?: number;
  /** The trace is looked at so often at most; what was not found by then stays unexplained. */
  passes?: number;
  /**
   * Bounds time: the searches look at so many events together, and the trace is looked at again until so many events have
   * been seen, or four times as many as it has. What was not found by then stays unexplained.
   */
  budget?: number;
  /** What was done at the events at which violations were noticed, as far as that is known. */
  noticed?: ReadonlyMap<ViolationFact, ClosingOperation>;
  /** Bounds memory: so many threads, variables and locks are remembered, over all searches of a pass. */
  entries?: number;
}

const DEFAULT_LIMIT = 1000;
const DEFAULT_PASSES = 10_000;
const DEFAULT_BUDGET = 100_000_000;
const DEFAULT_ENTRIES = 300_000;
/** At least so often the trace is looked at, however long it is. */
const FEW_PASSES = 4;

/** What was observed has a cycle to be found; other kinds speak of other schedules, and name their events. */
const OBSERVED: ReadonlySet<ViolationKind> = new Set(['transaction', 'trace']);

interface Ending {
  depth: number;
  violation: number;
}

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
   * The blocks whose end is not yet known, by the number of their begin. Where a fork or join cut several, their
   * pieces share its number and differ in depth.
   */
  readonly #endings = new Map<number, Ending[]>();
  readonly #ends: (number | null)[];
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
      perLabel: options.perLabel ?? Number.POSITIVE_INFINITY,
      passes: options.passes ?? DEFAULT_PASSES,
      budget: options.budget ?? DEFAULT_BUDGET,
      noticed: options.noticed ?? new Map(),
      entries: options.entries ?? DEFAULT_ENTRIES,
    };
    this.#taskOf = new Array(violations.length);
    this.#ends = new Array(violations.length).fill(null);
    this.#chooseTasks();
    this.#lookup = new EventLookup(violations.flatMap(namedEvents));
    violations.forEach(({ block }, violation) => {
      if (block === null) return;
      const endings = this.#endings.get(block.begin);
      if (endings === undefined) this.#endings.set(block.begin, [{ depth: block.depth, violation }]);
      else endings.push({ depth: block.depth, violation });
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
    return this.#steps > budget || this.#seen > Math.max(budget, (FEW_PASSES - 1) * this.#length);
  }

  /** Looks at the next events of the trace; false when this pass needs to see no more. */
  look(batch: EventBatch): boolean {
    const sweep = this.#sweep;
    if (sweep === null) throw new Error('a pass has to be started first');
    this.#seen += batch.length;
    if (this.#steps + sweep.steps > this.#options.budget) sweep.stop();
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
        blockEnd: this.#ends[i],
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
        const { limit, perLabel } = this.#options;
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

  #storyOf({ related }: ViolationFact): StoryEvent[] {
    return (related ?? []).flatMap(({ event, role }) => {
      const seen = this.#lookup.get(event);
      return seen === undefined ? [] : [{ role, seen }];
    });
  }

  #pairsOf(violation: ViolationFact): Explanation['pairs'] {
    return pairsNamed(violation).flatMap((pair) => {
      const from = this.#lookup.get(pair.from);
      const to = this.#lookup.get(pair.to);
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  }

  readonly #blockEnded = (block: BlockFact, event: number): void => {
    const endings = this.#endings.get(block.begin);
    if (endings === undefined) return;
    const others = endings.filter(({ depth }) => depth !== block.depth);
    for (const { depth, violation } of endings) if (depth === block.depth) this.#ends[violation] = event;
    if (others.length === 0) this.#endings.delete(block.begin);
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
  return isObserved(violation) ? [] : (violation.cycle ?? []);
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
