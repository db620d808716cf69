import { expiring, mayBe } from '../../trace/evidence.ts';
import { Precedence } from './precedence.ts';
import type { Evidence, Step, StepAccess } from './steps.ts';

/** What a step did to one variable, all in all. */
interface Use {
  readonly node: number;
  /** What it has found there; empty if nobody knows. */
  readonly seen: string;
  readonly writes: boolean;
  readonly wrote: string;
  readonly version: number;
}

/** Nodes that stand for moments of a process. */
interface Timeline {
  readonly start: number;
  readonly end: number;
  /** By the numbers of steps that are meetings with other processes. */
  readonly marks: ReadonlyMap<number, number>;
}

/** Variables that are used more often than this are not looked at. */
const MOST_USES = 4000;

/** So much is done at most to find out what came before what. */
const MOST_WORK = 300_000_000;

/**
 * In which order steps of several processes were done, as far as a store has shown it: docs/explanation/processes.md says by which
 * rules, and why they are sound.
 */
export class StoreOrder {
  readonly precedence: Precedence;
  /** The node of each step; steps have none that touch nothing which others touch. */
  readonly nodes = new Map<Step, number>();
  /** The variables that several processes use, and that somebody changes. */
  readonly shared: ReadonlySet<number>;
  /** Those of them of which what was read cannot be explained by what was written. */
  readonly unexplained = new Set<number>();
  readonly #evidence: Evidence;
  readonly #uses = new Map<number, Use[]>();
  /** What was there before anybody wrote, as it is known. */
  readonly #initial = new Map<number, string>();
  #work = 0;

  static of(evidence: Evidence): StoreOrder {
    const unexplained = new Set<number>();
    for (;;) {
      const order = new StoreOrder(evidence, unexplained);
      const wrong = order.#orderVersions() ?? order.#saturate(order.precedence, order.#initial);
      if (wrong === null) return order;
      unexplained.add(wrong);
    }
  }

  private constructor(evidence: Evidence, unexplained: ReadonlySet<number>) {
    this.#evidence = evidence;
    this.shared = sharedIn(evidence);
    for (const variable of unexplained) this.unexplained.add(variable);
    const chains: Step[][] = [];
    const chainOf = new Map<Step, number>();
    const relevant = evidence.steps.map((steps) =>
      steps.filter(({ accesses }) => accesses.some(({ variable }) => this.shared.has(variable))),
    );
    for (const steps of relevant) {
      const first = chains.length;
      for (const step of steps) {
        let chain = first;
        while (chain < chains.length && !follows(chains[chain].at(-1), step)) chain++;
        if (chain === chains.length) chains.push([]);
        chains[chain].push(step);
        chainOf.set(step, chain);
      }
    }
    this.precedence = new Precedence(chains.length);
    const timelines = relevant.map((steps, process) => this.#addProcess(process, steps, chainOf));
    for (const { cause, effect } of evidence.meetings) {
      const from = timelines[cause.process];
      const to = timelines[effect.process];
      const last = cause.step === null ? from.end : from.marks.get(cause.step);
      const first = effect.step === null ? to.start : to.marks.get(effect.step);
      if (last !== undefined && first !== undefined) this.precedence.order(last, first);
    }
    this.#gatherUses();
  }

  /** What is certain by the process itself: what was answered before something was sent, and what went through one connection. */
  #addProcess(process: number, steps: readonly Step[], chainOf: ReadonlyMap<Step, number>): Timeline {
    const { precedence } = this;
    const byConnection = new Map<number, number>();
    const marks = new Map<number, number>();
    for (const { cause, effect } of this.#evidence.meetings)
      for (const { process: of, step } of [cause, effect])
        if (of === process && step !== null) marks.set(step, -1);
    const numbers = [...steps.map(({ number }) => number), ...marks.keys()].sort((a, b) => a - b);
    /** After each of these, what had been done; the first one is the start. */
    const moments = [precedence.add(null)];
    const byNumber = new Map(steps.map((step) => [step.number, step]));
    numbers.forEach((number, i) => {
      const step = byNumber.get(number);
      const moment = precedence.add(null);
      precedence.order(moments[i], moment);
      if (step === undefined) marks.set(number, moment);
      else {
        const node = precedence.add(chainOf.get(step)!);
        this.nodes.set(step, node);
        let before = i;
        while (before > 0 && numbers[before - 1] > step.sent) before--;
        precedence.order(moments[before], node);
        const last = step.connection === 0 ? undefined : byConnection.get(step.connection);
        if (last !== undefined) precedence.order(last, node);
        byConnection.set(step.connection, node);
        precedence.order(node, moment);
      }
      moments.push(moment);
    });
    return { start: moments[0], end: moments.at(-1)!, marks };
  }

  #gatherUses(): void {
    const { variables } = this.#evidence;
    const expiring = new Set<string>();
    /** The parts of what has such a name. */
    const parts = new Map<string, number[]>();
    variables.forEach(({ store, within, isExpiry }, id) => {
      if (within === null) return;
      const whole = `${store}\n${within}`;
      if (isExpiry) expiring.add(whole);
      else if (this.shared.has(id)) parts.set(whole, [...(parts.get(whole) ?? []), id]);
    });
    const identity = (id: number) => `${variables[id].store}\n${variables[id].name}`;
    for (const [step, node] of this.nodes) {
      const uses = new Map<number, StepAccess[]>();
      for (const access of step.accesses) {
        const { variable, kind } = access;
        uses.set(variable, [...(uses.get(variable) ?? []), access]);
        // What becomes of a row or a key as a whole becomes of all its parts.
        if (kind !== 'read')
          for (const part of parts.get(identity(variable)) ?? [])
            uses.set(part, [
              ...(uses.get(part) ?? []),
              { ...access, variable: part, seen: '', wrote: '', version: 0 },
            ]);
      }
      for (const [variable, accesses] of uses) {
        if (!this.shared.has(variable)) continue;
        const use = useOf(node, accesses, expiring.has(identity(variable)));
        this.#uses.set(variable, [...(this.#uses.get(variable) ?? []), use]);
      }
    }
  }

  /** Whether the one step is known to have been done before the other. */
  isBefore(one: Step, other: Step, given: Precedence = this.precedence): boolean {
    const [a, b] = [this.nodes.get(one), this.nodes.get(other)];
    return a !== undefined && b !== undefined && given.isBefore(a, b);
  }

  /** All that would be known if the one had been done before the other; null if that is impossible. */
  assuming(one: Step, other: Step): Precedence | null {
    const [a, b] = [this.nodes.get(one), this.nodes.get(other)];
    if (a === undefined || b === undefined) return null;
    const given = this.precedence.copy();
    return given.order(a, b) && this.#saturate(given, new Map(this.#initial)) === null ? given : null;
  }

  /** Changes whose numbers the store has told; a variable for which that cannot be, or null. */
  #orderVersions(): number | null {
    for (const [variable, uses] of this.#uses) {
      if (this.unexplained.has(variable)) continue;
      const told = uses.filter(({ version }) => version > 0).sort((a, b) => a.version - b.version);
      for (let i = 1; i < told.length; i++)
        if (!this.precedence.order(told[i - 1].node, told[i].node)) return variable;
    }
    return null;
  }

  /** Finds all that follows; a variable for which nothing that is possible is left, or null. */
  #saturate(known: Precedence, initial: Map<number, string>): number | null {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [variable, uses] of this.#uses) {
        if (this.unexplained.has(variable) || uses.length > MOST_USES || this.#work > MOST_WORK) continue;
        const found = this.#order(variable, uses, known, initial);
        if (found === null) return variable;
        isChanged ||= found;
      }
    }
    return null;
  }

  /** Orders the uses of one variable; whether more is known than before, or null if it cannot be. */
  #order(
    variable: number,
    uses: readonly Use[],
    known: Precedence,
    initials: Map<number, string>,
  ): boolean | null {
    const writes = uses.filter((use) => use.writes);
    let isChanged = false;
    const order = (one: Use, other: Use) => {
      if (known.isBefore(one.node, other.node)) return true;
      isChanged = true;
      return known.order(one.node, other.node);
    };
    for (const use of uses) {
      if (use.seen === '') continue;
      this.#work += writes.length * 4;
      const earlier = writes.filter((write) => write !== use && known.isBefore(write.node, use.node));
      const isOverwritten = (write: Use) =>
        earlier.some((later) => later !== write && known.isBefore(write.node, later.node));
      const sources = writes.filter(
        (write) =>
          write !== use &&
          !known.isBefore(use.node, write.node) &&
          mayBe(use.seen, write.wrote) &&
          !isOverwritten(write),
      );
      const initial = initials.get(variable);
      const isInitial = earlier.length === 0 && (initial === undefined || mayBe(use.seen, initial));
      if (sources.length === 0 && !isInitial) return null;
      if (sources.length === 0) initials.set(variable, initial ?? use.seen);
      const source = sources.length === 1 && !isInitial ? sources[0] : null;
      if (source !== null && !order(source, use)) return null;
      for (const write of writes) {
        if (write === use || write === source) continue;
        // It has not been found there, though all that may have been came before it: so it is later.
        const isLater =
          !sources.includes(write) && sources.every((each) => known.isBefore(each.node, write.node));
        if (isLater && !order(use, write)) return null;
        if (source !== null && known.isBefore(write.node, use.node) && !order(write, source)) return null;
      }
    }
    return isChanged;
  }
}

/** Whether a step is certain to come after another one of its process. */
function follows(last: Step | undefined, { connection, sent }: Step): boolean {
  return last === undefined || last.number <= sent || (connection !== 0 && last.connection === connection);
}

function sharedIn({ variables, steps }: Evidence): Set<number> {
  const users = variables.map(() => new Set<number>());
  const changed = new Set<number>();
  for (const own of steps)
    for (const { process, accesses } of own)
      for (const { variable, kind } of accesses) {
        users[variable].add(process);
        if (kind !== 'read') changed.add(variable);
      }
  return new Set([...changed].filter((variable) => users[variable].size > 1));
}

/** What was there first is what it has found, and what it wrote last is what it has left. */
function useOf(node: number, accesses: readonly StepAccess[], mayExpire: boolean): Use {
  const changes = accesses.filter(({ kind }) => kind !== 'read');
  const [first] = accesses;
  const isSeen = first.seen !== '' || changes.length === 0;
  const seen = isSeen ? (accesses.find((each) => each.seen !== '')?.seen ?? '') : '';
  const wrote = changes.at(-1)?.wrote ?? '';
  return {
    node,
    seen,
    writes: changes.length > 0,
    wrote: mayExpire ? expiring(wrote) : wrote,
    version: changes.at(-1)?.version ?? 0,
  };
}
