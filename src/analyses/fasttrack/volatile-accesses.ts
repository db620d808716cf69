import { grownInt32 } from '../../trace/growable.ts';
import { ChannelClocks } from '../shared/channel-clocks.ts';
import type { ThreadClocks } from '../shared/thread-clocks.ts';
import { READ, UPDATE, WRITE } from './variable-accesses.ts';

const KINDS = [READ, UPDATE, WRITE];

/**
 * What volatile accesses order, and with which of them a plain access races. A volatile write lets those know what
 * its thread knows who read the variable later (FastTrack §4, rules for volatiles); an update both reads and
 * writes. They do not race among themselves, so that nothing orders them: of each kind, the latest of every slot
 * is kept.
 */
export class VolatileAccesses {
  /** Variables with volatile accesses are below this. */
  size = 0;
  readonly #clocks: ThreadClocks;
  readonly #written: ChannelClocks;
  /** Per variable and kind: the tree of the accesses. */
  #trees = new Int32Array(0);

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
    this.#written = new ChannelClocks(clocks);
  }

  /** Before an access: its thread learns what it orders before it. */
  acquire(kind: number, thread: number, variable: number): void {
    if (kind !== WRITE) this.#written.receive(thread, variable);
  }

  /** After an access: others may learn what its thread knows. */
  release(kind: number, thread: number, variable: number, event: number): void {
    if (kind !== READ) this.#written.send(thread, variable, event);
  }

  add(kind: number, thread: number, variable: number, event: number): void {
    const cell = variable * KINDS.length + kind - 1;
    this.#trees = grownInt32(this.#trees, (variable + 1) * KINDS.length);
    this.#trees[cell] = this.#clocks.trees.with(this.#trees[cell], this.#clocks.acting(thread), event);
    this.size = Math.max(this.size, variable + 1);
  }

  /** The latest volatile access that races with a plain one; 0 if none does. */
  rivalOf(kind: number, thread: number, variable: number): number {
    const slot = this.#clocks.acting(thread);
    const known = this.#clocks.treeOf(thread);
    let rival = 0;
    for (const other of KINDS) {
      const tree = this.#trees[variable * KINDS.length + other - 1];
      if (tree === 0 || (other === kind && kind !== WRITE)) continue;
      rival = Math.max(rival, this.#clocks.trees.latestBeyond(tree, known, slot));
    }
    return rival;
  }

  /** The variable's race was found; nothing is asked about it any more. */
  forget(variable: number): void {
    for (const kind of KINDS) {
      const cell = variable * KINDS.length + kind - 1;
      if (cell >= this.#trees.length) return;
      this.#clocks.trees.drop(this.#trees[cell]);
      this.#trees[cell] = 0;
    }
  }
}
