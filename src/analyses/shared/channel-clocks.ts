import { grownInt32 } from '../../trace/growable.ts';
import type { ThreadClocks } from './thread-clocks.ts';

/** What those knew, taken together, who sent something through each channel; who receives from it learns that. */
export class ChannelClocks {
  readonly #clocks: ThreadClocks;
  /** By channel: a tree; 0 if nothing was sent. */
  #trees = new Int32Array(16);

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  send(thread: number, channel: number, event: number): void {
    const { trees } = this.#clocks;
    const tree = this.#clocks.publish(thread, event);
    this.#trees = grownInt32(this.#trees, channel + 1);
    const before = this.#trees[channel];
    this.#trees[channel] = trees.joined(before, tree);
    trees.drop(before);
  }

  /** What a thread learns that receives now; 0 if nothing. */
  treeOf(channel: number): number {
    return channel < this.#trees.length ? this.#trees[channel] : 0;
  }

  receive(thread: number, channel: number): void {
    this.#clocks.acting(thread);
    const tree = this.treeOf(channel);
    if (tree !== 0) this.#clocks.learn(thread, tree);
  }
}
