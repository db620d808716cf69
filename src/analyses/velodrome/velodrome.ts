import { BarrierRounds } from '../../trace/barrier-rounds.ts';
import type { Analysis, AnalysisContext, ConflictFact, Outcome, ViolationSink } from '../analysis.ts';
import { Compaction } from './compaction.ts';
import { NONE } from './graph.ts';
import { IncreasingPath } from './increasing-path.ts';
import { OpenBlocks } from './open-blocks.ts';
import { ConflictTracker } from './tracker.ts';

export interface VelodromeOptions {
  /** Whether events outside blocks share nodes (§4.2); off only to measure what it saves. */
  merging: boolean;
  /** How many live nodes are let be before runs of transactions are made one; see `Compaction`. */
  compactAbove: number;
}

/**
 * Velodrome. The graph is kept acyclic: an edge that would close a cycle is a violation and is not added, and
 * the search goes on.
 */
export class Velodrome extends ConflictTracker implements Analysis {
  readonly #report: ViolationSink;
  readonly #blocks = new OpenBlocks();
  readonly #barriers = new BarrierRounds();
  readonly #compaction: Compaction;
  readonly #increasing: IncreasingPath;
  #firstEvent: number | null = null;
  #cycles = 0;
  #withoutBlame = 0;
  /** The thread that has closed a cycle by the present event, for the first time with nobody to blame; else NONE. */
  #closedBy = NONE;
  #hasBlamedNobody = false;
  /** The last event at which a block was blamed. */
  #blamedAt = 0;

  constructor(context: AnalysisContext, options: VelodromeOptions) {
    super({ merging: options.merging });
    this.#report = context.report;
    this.#compaction = new Compaction(this.graph, options.compactAbove);
    this.#increasing = new IncreasingPath(this.graph);
  }

  override read(thread: number, variable: number, event: number): void {
    super.read(thread, variable, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override write(thread: number, variable: number, event: number): void {
    super.write(thread, variable, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override update(thread: number, variable: number, event: number): void {
    super.update(thread, variable, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override acquire(thread: number, lock: number, event: number): void {
    super.acquire(thread, lock, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override join(thread: number, child: number, event: number): void {
    super.join(thread, child, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override receive(thread: number, channel: number, event: number): void {
    super.receive(thread, channel, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
  }

  override arrive(thread: number, barrier: number, event: number): void {
    this.arriveIn(this.#barriers.arrive(thread, barrier), thread, event);
  }

  override leave(thread: number, barrier: number, event: number): void {
    const round = this.#barriers.leave(thread, barrier);
    this.leaveFrom(round, thread, event);
    if (this.#closedBy !== NONE) this.#blameNobody(event);
    if (!this.#barriers.isOver(round)) return;
    this.forgetRound(round);
    this.#barriers.giveBack(round);
  }

  override begin(thread: number, label: number, event: number): void {
    super.begin(thread, label, event);
    this.#blocks.push(thread, label, event);
  }

  override end(thread: number, label: number, event: number): void {
    super.end(thread, label, event);
    this.#blocks.pop(thread);
  }

  /** Open transactions can be on no cycle that is not closed yet, so nothing is left to do. */
  finish(): void {}

  outcome(): Outcome {
    return {
      serializable: this.#firstEvent === null,
      firstEvent: this.#firstEvent,
      statistics: {
        nodesAllocated: this.graph.allocated,
        nodesAliveAtMost: this.graph.aliveAtMost,
        nodesCompacted: this.#compaction.compacted,
        edges: this.graph.edges,
        merges: this.merges,
        cycles: this.#cycles,
        cyclesWithoutBlame: this.#withoutBlame,
      },
    };
  }

  protected override closesCycle(source: number, from: number, node: number, event: number): boolean {
    this.#cycles++;
    this.#firstEvent ??= event;
    const thread = this.graph.thread[node];
    const innermost = this.#blocks.innermost(thread);
    // Blocks are refuted from the outermost on, so then there is nothing left to find.
    if (this.#blocks.isRefuted(innermost)) return false;
    const root = this.#increasing.find(node, source, from);
    if (root !== NONE) {
      this.#blamedAt = event;
      const cycle = this.#increasing.conflicts(node, from, event);
      this.#refute(innermost, root, thread, event, cycle);
    } else {
      this.#withoutBlame++;
      if (!this.#hasBlamedNobody) this.#closedBy = thread;
    }
    return false;
  }

  protected override rest(): void {
    this.#compaction.compactIfDue();
  }

  protected override finishThread(thread: number): void {
    super.finishThread(thread);
    while (this.#blocks.innermost(thread) !== NONE) this.#blocks.pop(thread);
  }

  /** Refutes the blocks that contain both ends of the cycle, outermost first: those begun by its root (§4.3). */
  #refute(
    innermost: number,
    root: number,
    thread: number,
    event: number,
    cycle: readonly ConflictFact[],
  ): void {
    const refuted: number[] = [];
    // Around a block that is refuted there are only such.
    for (let block = innermost; block !== NONE; block = this.#blocks.around(block)) {
      if (this.#blocks.isRefuted(block)) break;
      if (this.#blocks.begin(block) <= root) refuted.push(block);
    }
    for (const block of refuted.reverse()) {
      this.#blocks.refute(block);
      this.#report({ kind: 'transaction', event, thread, block: this.#blocks.fact(block), cycle });
    }
  }

  /** Reports a cycle with nobody to blame, unless the same event closed another one for which there is somebody. */
  #blameNobody(event: number): void {
    const thread = this.#closedBy;
    this.#closedBy = NONE;
    if (this.#blamedAt === event) return;
    this.#hasBlamedNobody = true;
    this.#report({ kind: 'trace', event, thread, block: null });
  }
}
