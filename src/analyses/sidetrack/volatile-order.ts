import { Op } from '../../trace/operation.ts';
import { ChannelClocks } from '../shared/channel-clocks.ts';
import type { ThreadClocks } from '../shared/thread-clocks.ts';

const KINDS = [Op.read, Op.write, Op.update] as const;

/**
 * Orders volatile accesses that conflict, as they were observed: what a thread does after it has read a flag may
 * depend on what it read. The accesses of each kind to a variable are a channel; an access receives from those of
 * the kinds that it conflicts with.
 */
export class VolatileOrder {
  readonly #channels: ChannelClocks;

  constructor(clocks: ThreadClocks) {
    this.#channels = new ChannelClocks(clocks);
  }

  /** Calls `learn` with what the thread is about to learn, if anything, and lets it and others know. */
  access(kind: Op, thread: number, variable: number, event: number, learn: (tree: number) => void): void {
    for (const other of KINDS) {
      if (other === kind && kind !== Op.write) continue;
      const channel = variable * KINDS.length + other;
      const tree = this.#channels.treeOf(channel);
      if (tree === 0) continue;
      learn(tree);
      this.#channels.receive(thread, channel);
    }
    this.#channels.send(thread, variable * KINDS.length + kind, event);
  }
}
