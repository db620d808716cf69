import type { Activation } from '../../core/activation.ts';
import type { VariableRecord } from '../../core/variable.ts';
import { changes, type Kinds, VOLATILE_READ, VOLATILE_UPDATE, VOLATILE_WRITE } from './kinds.ts';

/** The blocks of this isolate that last looked at a variable, and last changed it. */
interface Last {
  reader: Activation | null;
  changer: Activation | null;
}

/**
 * Tells whether a block may act upon what it has seen. An addition commutes with others, but not where it depends on a
 * look at the value, which another thread may have changed since: `if (Atomics.load(a, i) > 0) Atomics.sub(a, i, 1)`.
 * To look at the outcome of one's own change is no reason for the next.
 */
export class Looks {
  readonly #last = new WeakMap<VariableRecord, Last>();

  /** What an access is, given what the block around it has done before. */
  judge(variable: VariableRecord, block: Activation, kinds: Kinds): Kinds {
    let last = this.#last.get(variable);
    if (last === undefined) {
      last = { reader: null, changer: null };
      this.#last.set(variable, last);
    }
    if (!changes(kinds)) {
      if (last.changer !== block) last.reader = block;
      return kinds;
    }
    last.changer = block;
    return kinds === VOLATILE_UPDATE && last.reader === block ? VOLATILE_READ | VOLATILE_WRITE : kinds;
  }
}
