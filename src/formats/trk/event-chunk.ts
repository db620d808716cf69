import { internLocation, isNumericLocation, locationNameId, NO_LOCATION } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { OPERAND_KINDS, OPERATION_COUNT, OPERATION_WORDS, type OperandKind } from '../../trace/operation.ts';
import { unzigzag } from './byte-builder.ts';
import { ChunkNames, type CompiledTable } from './chunk-names.ts';
import { type ChunkColumns, type ColumnSizes, type NameList, valueAt } from './columns.ts';
import { chunkColumns } from './compiled-columns.ts';
import { byteCount, type Cursor } from './cursor.ts';
import { IncomingNames, RETIRED } from './incoming-names.ts';
import {
  MAX_CHUNK_EVENTS,
  MAX_INDEX_WIDTH,
  MAX_NAME_BYTES,
  MAX_OPERAND_WIDTH,
  NAME_TABLES,
} from './layout.ts';
import { OPERAND_TABLES } from './operand-classes.ts';
import { PackedParts } from './packed-parts.ts';
import { MOST_SYMBOLS } from './prefix-code.ts';

const KIND_OF_TABLE = { threads: 'thread', locks: 'lock', variables: 'variable', labels: 'label' } as const;

/** By kind of operand: which of `NAME_TABLES` names it. */
const TABLE_OF_KIND: Record<OperandKind, number> = {
  thread: 0,
  lock: 1,
  barrier: 1,
  message: 1,
  condition: 1,
  variable: 2,
  label: 3,
};

/** From so many new names on, compiled code is worth starting. */
const MANY = 256;

type Table = (typeof NAME_TABLES)[number];

/** Reads the bodies of the chunks of events and names of one file, and knows the names that they have defined. */
export class EventChunkReader {
  readonly columns: ChunkColumns;
  readonly #names: TraceNames;
  /** All that threads wait for has its name in the table of locks. */
  readonly #locks = new IncomingNames();
  readonly #incoming: Record<OperandKind, IncomingNames> = {
    thread: new IncomingNames(),
    lock: this.#locks,
    barrier: this.#locks,
    message: this.#locks,
    condition: this.#locks,
    variable: new IncomingNames(),
    label: new IncomingNames(),
  };
  /** Maps to locations, not to ids of the location table: a number that was defined as text is a number. */
  readonly #incomingLocations = new IncomingNames();
  /** Undefined before there are many names, null where there is none. */
  #compiledNames: ChunkNames | null | undefined;
  /** By operation: the map of its operands. */
  readonly #maps: (Int32Array | null)[] = new Array(OPERATION_COUNT).fill(null);

  constructor(names: TraceNames, columns: ChunkColumns = chunkColumns()) {
    this.#names = names;
    this.columns = columns;
  }

  /** Decodes the body, from behind its kind, for `columns.copyEvents` to fetch; returns the number of events. */
  read(cursor: Cursor): number {
    const events = cursor.bounded('the number of events', MAX_CHUNK_EVENTS);
    for (const table of NAME_TABLES) this.#readNames(cursor, table);
    const actions = this.#readActions(cursor, events);
    const locations = this.#readLocations(cursor, events);
    const sizes = readSizes(cursor, events);
    if (!this.columns.decode(cursor.bytes, cursor.at, sizes, actions, locations)) {
      this.#refuseEvent(cursor, sizes, actions, locations);
    }
    this.#renameOperands(cursor, events);
    return events;
  }

  /** The same for a packed chunk. */
  readPacked(cursor: Cursor): number {
    const parts = new PackedParts(cursor, this.columns);
    const events = cursor.bounded('the number of events', MAX_CHUNK_EVENTS);
    const { tables } = this.columns;
    for (let i = 0; i < OPERAND_TABLES; i++) tables.nextId[i] = this.#table(NAME_TABLES[i]).count;
    for (const table of NAME_TABLES) {
      // An event may have the first use of two names, those of threads.
      const count = cursor.bounded(`the number of new ${table}`, 2 * events);
      if (count > 0) this.#takeNames(parts.names(count), table);
    }
    for (let i = 0; i < OPERAND_TABLES; i++) tables.idCount[i] = this.#table(NAME_TABLES[i]).count;

    const actions = this.#readClasses(cursor, parts, events);
    parts.code(actions);
    const locations = parts.count('the number of locations', events);
    let value = 0;
    for (let i = 0; i < locations; i++) {
      const start = cursor.at;
      value = (value + cursor.varint('a location')) | 0;
      this.#setLocation(cursor, start, i, value);
    }
    if (!this.columns.unpack(parts.sizes(events, actions, locations)))
      cursor.fail(
        cursor.at,
        'packed events are damaged',
        'an id or a size out of range',
        'columns of their events',
      );
    this.#renameOperands(cursor, events);
    return events;
  }

  /** Decodes the body of a chunk of names, from behind its kind. */
  readChanges(cursor: Cursor): void {
    // Compiled code knows nothing of names that are gone.
    this.#leaveCompiledNames();
    for (const table of NAME_TABLES) {
      const incoming = this.#table(table);
      const retired = cursor.bounded(`the number of retired ${table}`, incoming.count);
      for (let i = 0; i < retired; i++) this.#retire(cursor, table, incoming);
      const named = cursor.varint(`the number of ids of ${table} that are named`);
      for (let i = 0; i < named; i++) {
        const start = cursor.at;
        const id = cursor.varint('an id');
        if (id > incoming.count || (id < incoming.count && !incoming.isRetired(id))) {
          cursor.fail(
            start,
            `an id of ${table} cannot be named`,
            `id ${id}`,
            'one that was retired, or the next',
          );
        }
        incoming.set(id, this.#readName(cursor, table));
      }
    }
    if (cursor.at !== cursor.end)
      cursor.fail(cursor.at, 'a chunk of names goes on', byteCount(cursor.end - cursor.at), 'its end');
  }

  /** From ids of the file to those in memory. */
  #renameOperands(cursor: Cursor, events: number): void {
    const { thread, lock, variable, label } = this.#incoming;
    if ([thread, lock, variable, label].every(({ map }) => map === null)) return;
    for (let op = 0; op < OPERATION_COUNT; op++) this.#maps[op] = this.#operands(op).map;
    const refused = this.columns.renameOperands(events, this.#maps);
    if (refused >= 0) this.#refuseRetired(cursor, refused);
  }

  #retire(cursor: Cursor, table: Table, incoming: IncomingNames): void {
    const start = cursor.at;
    const id = cursor.definedId(`a retired id of ${table}`, incoming.count);
    if (incoming.isRetired(id)) {
      cursor.fail(start, `an id of ${table} is retired again`, `id ${id}`, 'one that has a name');
    }
    const gone = incoming.retire(id);
    // Labels and locations are their texts; of the others, the next with the same name is another one.
    if (gone >= 0 && table !== 'labels' && table !== 'locations') this.#names[table].retire(gone);
  }

  #operands(op: number): IncomingNames {
    return this.#incoming[OPERAND_KINDS[op]];
  }

  #table(table: Table): IncomingNames {
    return table === 'locations' ? this.#incomingLocations : this.#incoming[KIND_OF_TABLE[table]];
  }

  #readNames(cursor: Cursor, table: Table): void {
    const incoming = this.#table(table);
    const count = cursor.varint(`the number of new ${table}`);
    if (count >= MANY && this.#compiledNames === undefined) this.#compiledNames = ChunkNames.for(this.#names);
    let read = 0;
    while (read < count) {
      if (table !== 'locations' && this.#compiledNames)
        read += this.#readCompiled(cursor, table, count - read, incoming, this.#compiledNames);
      if (read < count) {
        incoming.define(this.#readName(cursor, table));
        read++;
      }
    }
  }

  /** The names of a packed chunk are new to the file: none of them has to be looked for. */
  #takeNames({ bytes, ends }: NameList, table: Table): void {
    const incoming = this.#table(table);
    const names = this.#names[table];
    // The table may have names that are not from the file.
    const isOfFile = table !== 'locations' && incoming.isSame(names.size);
    // One by one they would be found by compiled code in far more time than it takes without.
    if (isOfFile && this.#compiledNames) this.#leaveCompiledNames();
    if (isOfFile && names.appendNew(bytes, ends) >= 0) {
      incoming.count += ends.length;
      return;
    }
    for (let i = 0; i < ends.length; i++) {
      const start = i === 0 ? 0 : ends[i - 1];
      incoming.define(
        table === 'locations'
          ? internLocation(names, bytes, start, ends[i])
          : names.intern(bytes, start, ends[i]),
      );
    }
  }

  /** From now on, the tables find names themselves, if anybody asks. */
  #leaveCompiledNames(): void {
    this.#compiledNames?.giveUp();
    this.#compiledNames = null;
  }

  #readCompiled(
    cursor: Cursor,
    table: CompiledTable,
    count: number,
    incoming: IncomingNames,
    compiled: ChunkNames,
  ): number {
    const { names, at } = compiled.read(table, cursor.bytes, cursor.at, cursor.end, count, incoming);
    cursor.at = at;
    if (compiled.isOver) this.#compiledNames = null;
    return names;
  }

  /** Returns the id in memory or, in the table of locations, the location. */
  #readName(cursor: Cursor, table: Table): number {
    const { bytes } = cursor;
    const names = this.#names[table];
    const length = cursor.bounded('the length of a name', MAX_NAME_BYTES);
    const start = cursor.at;
    const end = start + length;
    if (end > cursor.end) {
      cursor.fail(start, 'a name is cut', byteCount(cursor.end - start), byteCount(length));
    }
    cursor.at = end;
    return table === 'locations' ? internLocation(names, bytes, start, end) : names.intern(bytes, start, end);
  }

  #readActions(cursor: Cursor, events: number): number {
    const count = cursor.bounded('the number of actions', events);
    const { actionLeastOperand, actionOperandRange } = this.columns.tables;
    for (let i = 0; i < count; i++) {
      const op = this.#readAction(cursor, i);
      const operands = this.#operands(op).count;
      const least = cursor.definedId(`the least operand of action ${i} (${OPERATION_WORDS[op]})`, operands);
      actionLeastOperand[i] = least;
      actionOperandRange[i] = operands - 1 - least;
    }
    return count;
  }

  /** The actions of a packed chunk, each once for every class of its operands. */
  #readClasses(cursor: Cursor, parts: PackedParts, events: number): number {
    const { actionOp, actionThread, actionClass, actionTable } = this.columns.tables;
    let count = 0;
    for (let left = parts.count('the number of actions', events); left > 0; left--) {
      const op = this.#readAction(cursor, count);
      const thread = actionThread[count];
      const limit = Math.min(events, MOST_SYMBOLS) - count;
      for (let classes = parts.count('the number of classes', limit); classes > 0; classes--) {
        actionOp[count] = op;
        actionThread[count] = thread;
        actionClass[count] = parts.operandClass();
        actionTable[count] = TABLE_OF_KIND[OPERAND_KINDS[op]];
        count++;
      }
    }
    return count;
  }

  /** Operation and thread; returns the operation. */
  #readAction(cursor: Cursor, index: number): number {
    const threads = this.#incoming.thread;
    const { actionOp, actionThread } = this.columns.tables;
    const start = cursor.at;
    const op = cursor.u8('an operation');
    if (op >= OPERATION_COUNT) {
      cursor.fail(start, 'unknown operation', String(op), `at most ${OPERATION_COUNT - 1}`);
    }
    actionOp[index] = op;
    const threadAt = cursor.at;
    const thread = cursor.definedId('a thread', threads.count);
    actionThread[index] = threads.id(thread);
    if (actionThread[index] === RETIRED) this.#refuseId(cursor, threadAt, 'the thread of an action', thread);
    return op;
  }

  #readLocations(cursor: Cursor, events: number): number {
    const count = cursor.bounded('the number of locations', events);
    let value = 0;
    for (let i = 0; i < count; i++) {
      const start = cursor.at;
      value = (value + unzigzag(cursor.varint('a location'))) | 0;
      this.#setLocation(cursor, start, i, value);
    }
    return count;
  }

  #setLocation(cursor: Cursor, start: number, index: number, value: number): void {
    const texts = this.#incomingLocations;
    const { chunkLocations } = this.columns.tables;
    if (value < 0) cursor.fail(start, 'a location is too large', String(value >>> 0), 'at most 2147483647');
    if (value === NO_LOCATION || isNumericLocation(value)) {
      chunkLocations[index] = value;
      return;
    }
    const id = locationNameId(value);
    if (id >= texts.count) cursor.undefinedId(start, 'a location', id, texts.count);
    chunkLocations[index] = texts.id(id);
    if (chunkLocations[index] === RETIRED) this.#refuseId(cursor, start, 'a location', id);
  }

  #refuseRetired(cursor: Cursor, index: number): never {
    const event = `event ${cursor.whole + 1 + index}`;
    const word = OPERATION_WORDS[this.columns.tables.op[index]];
    cursor.fail(cursor.at, `the operand of ${event} (${word}) was retired`, 'its id', 'one that has a name');
  }

  #refuseId(cursor: Cursor, at: number, what: string, id: number): never {
    cursor.fail(at, `${what} was retired`, `id ${id}`, 'one that has a name');
  }

  /** Finds the first event that `decodeColumns` would not have, and says what is wrong with it. */
  #refuseEvent(cursor: Cursor, sizes: ColumnSizes, actions: number, locations: number): never {
    const { events, actionWidth, operandWidth, locationWidth } = sizes;
    const { actionOp, actionLeastOperand, actionOperandRange } = this.columns.tables;
    const { bytes } = cursor;
    const operandsAt = cursor.at + events * actionWidth;
    const locationsAt = operandsAt + events * operandWidth;
    for (let i = 0; i < events; i++) {
      const event = `event ${cursor.whole + 1 + i}`;
      const action = valueAt(bytes, cursor.at + i, events, actionWidth);
      if (action >= actions) {
        cursor.fail(cursor.at + i, `${event} has no action`, `action ${action}`, `below ${actions}`);
      }
      const above = valueAt(bytes, operandsAt + i, events, operandWidth);
      if (above > actionOperandRange[action]) {
        const op = actionOp[action];
        const what = `the operand of ${event} (${OPERATION_WORDS[op]})`;
        cursor.undefinedId(
          operandsAt + i,
          what,
          actionLeastOperand[action] + above,
          this.#operands(op).count,
        );
      }
      const place = valueAt(bytes, locationsAt + i, events, locationWidth);
      if (place >= locations) {
        cursor.fail(locationsAt + i, `${event} has no location`, `location ${place}`, `below ${locations}`);
      }
    }
    throw new Error('a chunk was refused in which nothing is wrong');
  }
}

function readSizes(cursor: Cursor, events: number): ColumnSizes {
  const actionWidth = readWidth(cursor, 'action', 1, MAX_INDEX_WIDTH);
  const operandWidth = readWidth(cursor, 'operand', 0, MAX_OPERAND_WIDTH);
  const locationWidth = readWidth(cursor, 'location', 0, MAX_INDEX_WIDTH);
  const found = cursor.end - cursor.at;
  const expected = events * (actionWidth + operandWidth + locationWidth);
  if (found !== expected) {
    cursor.fail(cursor.at, 'the columns do not fill their chunk', byteCount(found), byteCount(expected));
  }
  return { events, actionWidth, operandWidth, locationWidth };
}

function readWidth(cursor: Cursor, column: string, least: number, most: number): number {
  const start = cursor.at;
  const width = cursor.u8(`the width of the ${column} column`);
  if (width < least || width > most) {
    cursor.fail(start, `impossible width of the ${column} column`, byteCount(width), `${least} to ${most}`);
  }
  return width;
}
