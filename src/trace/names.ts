import { NameTable } from './name-table.ts';
import { OPERAND_KINDS, type Op } from './operation.ts';

/** What names are asked for by who writes them down. */
export interface NamesById {
  /** Ids are below this. */
  readonly size: number;
  text(id: number): string;
  /** The name's bytes, as a view that is valid until the next name is added. */
  bytes(id: number): Uint8Array;
  byteLength(id: number): number;
  /** Whether the bytes of a name are no more than its text as UTF-8. */
  readonly areTexts?: boolean;
}

/** The tables of names of a trace, whatever they are made of. */
export interface NameTables<Table = NamesById> {
  readonly threads: Table;
  readonly locks: Table;
  readonly variables: Table;
  readonly labels: Table;
  readonly locations: Table;
}

/** The names behind the integers of one trace. */
export class TraceNames implements NameTables<NameTable> {
  /** Threads, variables and locks: those of another reading of the trace, where ids were used again in this one. */
  threads = new NameTable();
  /**
   * Locks, barriers, messages and conditions: what threads wait for. One name may be all of these, and means a
   * different thing each time.
   */
  locks = new NameTable();
  variables = new NameTable();
  readonly labels = new NameTable();
  /** Location texts; numeric locations need no entry here, see `location.ts`. */
  readonly locations = new NameTable();

  /** The table in which the operand of `op` is named. */
  operandTable(op: Op): NameTable {
    return operandTable(this, op);
  }
}

/** The table in which the operand of `op` is named. */
export function operandTable<Table>(names: NameTables<Table>, op: Op): Table {
  switch (OPERAND_KINDS[op]) {
    case 'variable':
      return names.variables;
    case 'lock':
    case 'barrier':
    case 'message':
    case 'condition':
      return names.locks;
    case 'thread':
      return names.threads;
    default:
      return names.labels;
  }
}
