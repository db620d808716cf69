import type { AnalysisResult, ConflictResult, ViolationResult } from '../../check/result.ts';
import type { Joined, JoinedAccess } from './joined-target.ts';
import type { Precedence } from './precedence.ts';
import type { Evidence, OpenBlock, Step, StepAccess } from './steps.ts';
import type { StoreOrder } from './store-order.ts';

/** What the other order would break as well is looked for so often. */
const MOST_ASSUMPTIONS = 200;

const EITHER_WAY =
  'nothing tells which of the two changed it first; the other way round, the other one is broken in the same way';

/** Keeps what is true in whichever order the processes have come to the store. */
export class Certainty {
  readonly #evidence: Evidence;
  readonly #order: StoreOrder;
  readonly #joined: Joined;
  #assumptions = 0;

  constructor(evidence: Evidence, order: StoreOrder, joined: Joined) {
    this.#evidence = evidence;
    this.#order = order;
    this.#joined = joined;
  }

  /** The result without what is not certain. */
  certain(result: AnalysisResult): AnalysisResult {
    const violations: ViolationResult[] = [];
    let left = 0;
    for (const violation of result.violations) {
      const kept = this.#kept(violation);
      if (kept === null) left++;
      else violations.push(kept);
    }
    const unordered = this.#unordered();
    const notes = [...(result.notes ?? []), ...noteOf(unordered, left), ...this.#noteOfUnexplained()];
    const isOk = result.verdict === 'ok' || result.verdict === 'violation';
    return {
      ...result,
      violations,
      ...(isOk ? { verdict: violations.length === 0 ? 'ok' : 'violation' } : {}),
      serializable: violations.length > 0 ? false : left > 0 ? null : result.serializable,
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  #kept(violation: ViolationResult): ViolationResult | null {
    const { alike: _, ...kept } = violation;
    const { cycle } = violation;
    if (cycle.length === 0) return null;
    const unknown = cycle.filter((edge) => !this.#isKnown(edge));
    if (unknown.length === 0) return kept;
    const label = violation.block?.label;
    if (unknown.length > 1 || label === undefined) return null;
    if (!this.#isBrokenEitherWay(unknown[0], label)) return null;
    return { ...kept, message: `${kept.message}; ${EITHER_WAY}` };
  }

  #isKnown({ from, to }: ConflictResult): boolean {
    const { processOf, accesses } = this.#joined;
    if (processOf(from.event) === processOf(to.event) || from.op === 'fork') return true;
    const [one, other] = [accesses.get(from.event), accesses.get(to.event)];
    return one !== undefined && other !== undefined && this.#order.isBefore(one.step, other.step);
  }

  /**
   * Whether it would be a violation as well if the two had come the other way round: then a block in which the first one is has
   * read the variable before, and the second one has come in between. Only a block of the same function is certain to be judged
   * the same.
   */
  #isBrokenEitherWay({ from, to }: ConflictResult, label: string): boolean {
    const { accesses } = this.#joined;
    const [one, other] = [accesses.get(from.event), accesses.get(to.event)];
    if (one === undefined || other === undefined || this.#assumptions++ >= MOST_ASSUMPTIONS) return false;
    const given = this.#order.assuming(other.step, one.step);
    // It was impossible, so it is known after all.
    if (given === null) return true;
    return this.#evidence.steps[one.step.process].some((step) =>
      step.accesses.some((first) => this.#comesBetween(first, step, other, one, given, label)),
    );
  }

  /** Whether a block did `first` and then `last`, and another process has come to the variable in between. */
  #comesBetween(
    first: StepAccess,
    step: Step,
    between: JoinedAccess,
    last: JoinedAccess,
    given: Precedence,
    label: string,
  ): boolean {
    const isSame = first.variable === last.access.variable && first.thread === last.access.thread;
    return (
      isSame &&
      first.event < last.access.event &&
      first.kind === 'read' &&
      sharesBlock(first.block, last.access.block, label) &&
      this.#order.isBefore(step, between.step, given) &&
      this.#order.isBefore(between.step, last.step, given)
    );
  }

  /** How many pairs of accesses that conflict are in no known order. */
  #unordered(): number {
    const { shared, nodes } = this.#order;
    const uses = new Map<number, { step: Step; kind: StepAccess['kind'] }[]>();
    for (const step of nodes.keys())
      for (const { variable, kind } of step.accesses)
        if (shared.has(variable)) uses.set(variable, [...(uses.get(variable) ?? []), { step, kind }]);
    let count = 0;
    for (const each of uses.values())
      for (let i = 0; i < each.length && each.length <= MOST_COUNTED; i++)
        for (let j = 0; j < i; j++) {
          const [a, b] = [each[i], each[j]];
          if (a.step.process === b.step.process || !doConflict(a.kind, b.kind)) continue;
          if (!this.#order.isBefore(a.step, b.step) && !this.#order.isBefore(b.step, a.step)) count++;
        }
    return count;
  }

  #noteOfUnexplained(): string[] {
    const { unexplained } = this.#order;
    if (unexplained.size === 0) return [];
    const [first] = unexplained;
    const { name } = this.#evidence.variables[first];
    return [
      `what was read of ${name}${unexplained.size === 1 ? '' : ` and ${unexplained.size - 1} more`} is nothing that these processes have written: somebody else has, too, or the database itself`,
    ];
  }
}

const MOST_COUNTED = 2000;

function doConflict(a: StepAccess['kind'], b: StepAccess['kind']): boolean {
  if (a === 'read' || b === 'read') return a !== b;
  return a !== 'update' || b !== 'update';
}

function noteOf(unordered: number, left: number): string[] {
  if (unordered === 0 && left === 0) return [];
  const pairs = unordered === 1 ? '1 pair of accesses' : `${unordered} pairs of accesses`;
  const blocks =
    left === 0
      ? ''
      : `; ${left === 1 ? '1 block' : `${left} blocks`} would be reported in some order only, and so is not`;
  return [`of ${pairs} by different processes, the store does not tell which came first${blocks}`];
}

function sharesBlock(one: OpenBlock | null, other: OpenBlock | null, label: string): boolean {
  for (let block = one; block !== null; block = block.outer)
    for (let also = other; also !== null; also = also.outer)
      if (block.begin === also.begin && block.label === label) return true;
  return false;
}
