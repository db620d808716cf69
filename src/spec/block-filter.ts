import type { EventBatch } from '../trace/batch.ts';
import { grownUint8 } from '../trace/growable.ts';
import type { NameTable } from '../trace/name-table.ts';
import { Op } from '../trace/operation.ts';
import type { Specification } from './specification.ts';

const UNKNOWN = 0;
const ATOMIC = 1;
const LEFT_OUT = 2;

/**
 * Turns the begins and ends of blocks that the specification leaves out into `Op.skip`. Each label is matched
 * once. Well-formedness has made sure that the end of a block carries the label of its begin.
 */
export class BlockFilter {
  /** How many blocks have been left out. */
  leftOut = 0;
  readonly #specification: Specification;
  readonly #labels: NameTable;
  #decided = new Uint8Array(16);

  constructor(specification: Specification, labels: NameTable) {
    this.#specification = specification;
    this.#labels = labels;
  }

  apply(batch: EventBatch): void {
    if (this.#specification.isEmpty) return;
    this.#decided = grownUint8(this.#decided, this.#labels.size);
    const { op, operand, length } = batch;
    for (let i = 0; i < length; i++) {
      if ((op[i] !== Op.begin && op[i] !== Op.end) || !this.#isLeftOut(operand[i])) continue;
      if (op[i] === Op.begin) this.leftOut++;
      op[i] = Op.skip;
    }
  }

  #isLeftOut(label: number): boolean {
    let decision = this.#decided[label];
    if (decision === UNKNOWN) {
      decision = this.#specification.isAtomic(this.#labels.text(label)) ? ATOMIC : LEFT_OUT;
      this.#decided[label] = decision;
    }
    return decision === LEFT_OUT;
  }
}
