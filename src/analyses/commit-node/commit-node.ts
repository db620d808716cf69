import { Op } from '../../trace/operation.ts';
import type { Analysis, AnalysisContext, Outcome, ViolationSink } from '../analysis.ts';
import { Contention } from './contention.ts';
import { EdgesOfUnit, Forest } from './forest.ts';
import type { InterEdges } from './inter-edges.ts';
import { Effort, type Limits, USUAL_LIMITS } from './limits.ts';
import { OuterLocks } from './outer-locks.ts';
import { Pairs } from './pairs.ts';
import { Recorder } from './recorder.ts';
import { Reports } from './reports.ts';
import { type SearchResult, UnitCycles } from './unit-cycles.ts';
import { Units } from './units.ts';

/** After so many rounds all that is outside blocks is taken apart. */
const MOST_ROUNDS = 4;

/**
 * The commit-node algorithms (Wang and Stoller): record what every unit does; when the trace is over, find out
 * where units can get into each other's way in any schedule, and which transactions that can tear apart.
 */
export class CommitNode implements Analysis {
  readonly #report: ViolationSink;
  readonly #newRule: () => InterEdges;
  readonly #limits: Limits;
  readonly #recorder: Recorder;
  readonly #edges = new EdgesOfUnit();
  #statistics: Record<string, number> = {};
  #notes: readonly string[] = [];

  constructor(context: AnalysisContext, newRule: () => InterEdges, limits: Limits = USUAL_LIMITS) {
    this.#report = context.report;
    this.#newRule = newRule;
    this.#limits = limits;
    this.#recorder = new Recorder(limits.recorded);
  }

  read(thread: number, variable: number, event: number): void {
    this.#recorder.access(Op.read, thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#recorder.access(Op.write, thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#recorder.access(Op.update, thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#recorder.acquire(thread, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#recorder.release(thread, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    this.#recorder.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#recorder.join(thread, child, event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#recorder.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    this.#recorder.leave(thread, barrier, event);
  }

  send(thread: number, channel: number, event: number): void {
    this.#recorder.send(thread, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#recorder.receive(thread, channel, event);
  }

  begin(thread: number, label: number, event: number): void {
    this.#recorder.begin(thread, label, event);
  }

  end(thread: number, _label: number, event: number): void {
    this.#recorder.end(thread, event);
  }

  finish(lastEvent: number): void {
    const recorder = this.#recorder;
    recorder.finish(lastEvent);
    const contention = new Contention(recorder);
    const effort = new Effort(this.#limits.steps);
    const { rule, forest } = this.#buildForest(contention, effort);
    const { periods } = recorder;
    const { units } = forest;
    const pairs = new Pairs(forest, periods, rule, effort);
    const reports = new Reports(forest, rule.kind);
    // Of what is reported already it is enough to know that there is more.
    const isPossible = (unit: number, other: number) =>
      reports.has(unit, other) || pairs.isPossible(unit, other);
    const search = new UnitCycles(forest, periods, effort, isPossible);
    let transactions = 0;
    const decided = { oneCommitNode: 0, withoutCycle: 0, violated: 0, undecided: 0 };
    for (let unit = 0; unit < units.size; unit++) {
      if (!units.isTransaction(unit)) continue;
      const count = units.countOf(unit);
      transactions += count;
      const result = effort.isExhausted ? 'undecided' : this.#decide(unit, forest, search);
      if (result === 'one commit node') decided.oneCommitNode += count;
      else if (result === 'none') decided.withoutCycle += count;
      else if (result === 'undecided') decided.undecided += count;
      else {
        decided.violated += count;
        reports.add(unit, this.#edges, result);
      }
    }
    for (const violation of reports.all()) this.#report(violation);
    this.#statistics = {
      units: recorder.units.inBlocks + recorder.units.outside,
      transactions: recorder.units.inBlocks,
      trees: forest.trees.size,
      nodes: forest.trees.at.length,
      steps: effort.steps,
      pairsSearched: pairs.searched,
      pairsRefuted: pairs.refuted,
      uncontended: recorder.units.inBlocks - transactions,
      ...decided,
      eventsRecorded: recorder.stoppedAt ?? lastEvent,
    };
    this.#notes = this.#notesOn(decided.undecided, transactions);
  }

  outcome(): Outcome {
    return { serializable: null, firstEvent: null, statistics: this.#statistics, notes: this.#notes };
  }

  #notesOn(undecided: number, transactions: number): string[] {
    const { stoppedAt, blocksCut } = this.#recorder;
    const notes: string[] = [];
    if (stoppedAt !== null)
      notes.push(
        `there was more than could be kept: nothing after event ${stoppedAt} was looked at; a trace with fewer or shorter blocks (--only) may fit`,
      );
    if (undecided > 0)
      notes.push(
        `the search was given up: ${undecided} of ${transactions} contended transactions are undecided; with fewer blocks (--only) it may come to an end`,
      );
    if (blocksCut > 0)
      notes.push(
        `${blocksCut} ${blocksCut === 1 ? 'block has' : 'blocks have'} a barrier, message or condition inside: what comes before it and what comes after it are taken for different units (Wang and Stoller, §2)`,
      );
    return notes;
  }

  #decide(unit: number, forest: Forest, search: UnitCycles): SearchResult | 'one commit node' {
    return forest.hasSeveralCommitNodes(unit) ? search.find(unit, this.#edges) : 'one commit node';
  }

  #buildForest(contention: Contention, effort: Effort): { rule: InterEdges; forest: Forest } {
    const recorder = this.#recorder;
    const outerLocks = new OuterLocks(recorder.units, contention, recorder.locks);
    for (let round = 1; ; round++) {
      const rule = this.#newRule();
      const units = new Units(recorder.units, contention, outerLocks.isApart, effort);
      const forest = new Forest(recorder, contention, units, outerLocks.isOrdered, rule, effort);
      if (effort.isExhausted || !outerLocks.refine(forest, round === MOST_ROUNDS)) return { rule, forest };
    }
  }
}
