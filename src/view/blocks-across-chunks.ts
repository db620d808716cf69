import { Op } from '../trace/operation.ts';
import type { EventColumns, OpenBlock } from './chunk-codec.ts';

/** A page shows no deeper nesting from earlier chunks, and no more blocks. */
const DEEPEST = 8;
const MOST = 2000;

/** Which blocks are open, thread by thread. What is not well-formed is passed over: it is shown all the same. */
export class BlocksAcrossChunks {
  readonly #threads = new Map<number, OpenBlock[]>();

  add({ length, op, thread, operand }: EventColumns, firstEvent: number): void {
    for (let i = 0; i < length; i++) {
      if (op[i] !== Op.begin && op[i] !== Op.end) continue;
      const stack = this.#threads.get(thread[i]) ?? [];
      if (op[i] === Op.begin) stack.push({ thread: thread[i], label: operand[i], begin: firstEvent + i });
      else stack.pop();
      if (stack.length === 0) this.#threads.delete(thread[i]);
      else this.#threads.set(thread[i], stack);
    }
  }

  /** Outermost first. */
  list(): OpenBlock[] {
    const listed: OpenBlock[] = [];
    for (const stack of this.#threads.values()) {
      if (listed.length >= MOST) break;
      listed.push(...stack.slice(0, DEEPEST));
    }
    return listed;
  }
}
