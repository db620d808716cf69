import { NameTable } from './name-table.ts';
import { OPERAND_KINDS, type Op } from './operation.ts';

/** The names behind the integers of one trace. */
export class TraceNames {
  readonly threads = new NameTable();
  /** Locks and barriers: what threads wait for. One name may be both, and means two different things. */
  readonly locks = new NameTable();
  readonly variables = new NameTable();
  readonly labels = new NameTable();
  /** Location texts; numeric locations need no entry here, see `location.ts`. */
  readonly locations = new NameTable();

  /** The table in which the operand of `op` is named. */
  operandTable(op: Op): NameTable {
    switch (OPERAND_KINDS[op]) {
      case 'variable':
        return this.variables;
      case 'lock':
      case 'barrier':
        return this.locks;
      case 'thread':
        return this.threads;
      default:
        return this.labels;
    }
  }
}
