import { Op } from '../../trace/operation.ts';
import { HELD, operandOf, opOf } from './codes.ts';
import { type Contention, NOTHING } from './contention.ts';
import type { Forest } from './forest.ts';
import { NO_LABEL, type RecordedUnits } from './recorded-units.ts';

/**
 * Locks whose regions have to keep their order in an equivalent serial trace. Within transactions they need not:
 * in a serial trace no transaction is in another's way. The theorems therefore assume that no lock is held
 * outside transactions. Here what a thread does outside blocks while it holds locks counts as a transaction, as
 * in the paper, and nothing is to be done as long as it has at most one commit node, because then it can be moved
 * together like one. Otherwise nobody ever said that it should be atomic: it is taken apart, and nobody else may
 * get in between its acquire and its release. So it is with a lock that is held across the edge of a block.
 */
export class OuterLocks {
  readonly #contention: Contention;
  readonly #ordered: Uint8Array;
  readonly #apart = new Set<number>();

  constructor(recorded: RecordedUnits, contention: Contention, locks: number) {
    this.#contention = contention;
    this.#ordered = new Uint8Array(locks);
    for (let kind = 0; kind < recorded.size; kind++) {
      const sequence = contention.rest[recorded.sequenceOf(kind)];
      if (sequence === NOTHING || this.#apart.has(sequence)) continue;
      if (this.#orderCrossing(sequence) && recorded.labelOf(kind) === NO_LABEL) this.#takeApart(sequence);
    }
  }

  isOrdered = (lock: number): boolean => this.#ordered[lock] === 1;

  isApart = (sequence: number): boolean => this.#apart.has(sequence);

  /**
   * Takes apart what is not like a transaction in this forest, or everything; false if there is nothing to take
   * apart.
   */
  refine(forest: Forest, everything: boolean): boolean {
    const { units } = forest;
    const before = this.#apart.size;
    for (let unit = 0; unit < units.size; unit++) {
      if (units.isSingle(unit)) continue;
      const sequence = units.treeOf(unit);
      if (units.isTransaction(unit) || this.#apart.has(sequence)) continue;
      if (!this.#hasSeveralOperations(sequence)) continue;
      if (everything || forest.hasSeveralCommitNodes(unit)) this.#takeApart(sequence);
    }
    return this.#apart.size > before;
  }

  #hasSeveralOperations(sequence: number): boolean {
    let operations = 0;
    this.#forEach(sequence, (op) => {
      if (op !== HELD) operations++;
    });
    return operations > 1;
  }

  /** Whether a lock is held when the unit starts or ends. */
  #orderCrossing(sequence: number): boolean {
    const held = new Set<number>();
    let isCrossing = false;
    this.#forEach(sequence, (op, operand) => {
      if (op === HELD) {
        isCrossing = true;
        this.#ordered[operand] = 1;
      }
      if (op === HELD || op === Op.acquire) held.add(operand);
      if (op === Op.release) held.delete(operand);
    });
    for (const lock of held) this.#ordered[lock] = 1;
    return isCrossing || held.size > 0;
  }

  #takeApart(sequence: number): void {
    this.#apart.add(sequence);
    this.#forEach(sequence, (op, operand) => {
      if (op === Op.acquire) this.#ordered[operand] = 1;
    });
  }

  #forEach(sequence: number, visit: (op: number, operand: number) => void): void {
    const { sequences } = this.#contention;
    const start = sequences.start(sequence);
    for (let i = start; i < start + sequences.lengthOf(sequence); i++)
      visit(opOf(sequences.codes.items[i]), operandOf(sequences.codes.items[i]));
  }
}
