import { OPERAND_KINDS, Op } from '../../trace/operation.ts';

/*
 * What a ring consists of: records of words of 32 bits. The first word of a record tells its kind in its upper 4 bits, and
 * what depends on it in the lower ones.
 *
 *   event    operation | NUMBERED | flags, thread, operand, location, and the number if it has one
 *   name     table | LAST, id, bytes, and so many bytes of the name, padded to whole words; long names come in parts
 *   forget   table, id: the id is going to be that of another name
 *   mark     -, number: nothing happened, but what follows comes after this number
 */
export const RecordKind = { event: 0, name: 1, forget: 2, mark: 4 } as const;

export const KIND_SHIFT = 28;
export const NUMBERED = 0x100;
export const OP_MASK = 0xff;
/** Where what else is known of an event begins (`EventFlag`). */
export const FLAG_SHIFT = 9;
export const FLAG_MASK = 0xffff;

export const LAST = 0x100;
export const TABLE_MASK = 0xff;

/** Names of what; each isolate counts its ids for itself. */
export const Table = { threads: 0, locks: 1, variables: 2, labels: 3, locations: 4, messages: 5 } as const;

/** In place of a table: the text is something that is known of the trace (`FactRecord`), as JSON. */
export const FACTS = 6;

/** The table of names that holds those of each. */
export const TABLES = ['threads', 'locks', 'variables', 'labels', 'locations', 'locks'] as const;

/** Which names an operation of the event model has in its operand. */
export function operandTableOf(op: number): number {
  if (op === Op.send || op === Op.receive) return Table.messages;
  switch (OPERAND_KINDS[op]) {
    case 'variable':
      return Table.variables;
    case 'thread':
      return Table.threads;
    case 'label':
      return Table.labels;
    default:
      return Table.locks;
  }
}

export const EVENT_WORDS = 5;
export const NAME_WORDS = 3;
