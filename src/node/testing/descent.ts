import type { EventBatch } from '../../trace/batch.ts';
import type { NameTable } from '../../trace/name-table.ts';
import { Op } from '../../trace/operation.ts';

/** Which threads of a trace forked which. */
export class Descent {
  readonly #names: NameTable;
  /** By thread: the one that forked it. */
  readonly #parents = new Map<number, number>();

  constructor(names: NameTable) {
    this.#names = names;
  }

  look({ length, op, thread, operand }: EventBatch): void {
    for (let i = 0; i < length; i++) if (op[i] === Op.fork) this.#parents.set(operand[i], thread[i]);
  }

  /** The test that a thread belongs to: the nearest of these kinds of threads that it is or descends from, or null. */
  testOf(thread: string, kinds: ReadonlySet<string>): string | null {
    let at: number | undefined = this.#names.findText(thread);
    for (; at !== undefined && at >= 0; at = this.#parents.get(at)) {
      // The runtime numbers threads, whatever kind they are of.
      const kind = this.#names.text(at).replace(/ ?#\d+$/, '');
      if (kinds.has(kind)) return kind;
    }
    return null;
  }
}
