import type { EventBatch } from '../trace/batch.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, numericLocationValue } from '../trace/location.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, Op } from '../trace/operation.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { TextOutput } from './text-output.ts';
import type { ByteSink, TraceWriter } from './writer.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const PIPE = 0x7c;

/** Room for the fixed parts of a line beside its names. */
const LINE_OVERHEAD = 32;

/**
 * Writes canonical STD: what `std.ts` reads back to the same events, byte for byte the same if it came from
 * there. Names that STD cannot hold (a thread with `|`, an operand with `)|`, any newline) are refused.
 */
export class StdWriter implements TraceWriter {
  readonly #names: TraceNames;
  readonly #output: TextOutput;
  readonly #mnemonics = MNEMONICS.map((word) => Buffer.from(word));
  /* How many names of each table have been found writable; ids are dense, so a number says it all. */
  readonly #checked = new Map<NameTable, number>();

  constructor(names: TraceNames, sink: ByteSink) {
    this.#names = names;
    this.#output = new TextOutput(sink);
  }

  async write(batch: EventBatch): Promise<void> {
    this.#checkNames();
    for (let i = 0; i < batch.length; i++) {
      if (batch.op[i] !== Op.skip) this.#event(batch, i);
      if (this.#output.isFull) await this.#output.flush();
    }
  }

  async finish(): Promise<void> {
    await this.#output.flush();
  }

  #event(batch: EventBatch, i: number): void {
    const op = batch.op[i] as Op;
    const table = this.#names.operandTable(op);
    const location = batch.location[i];
    const named = location !== NO_LOCATION && !isNumericLocation(location);
    const size =
      this.#names.threads.byteLength(batch.thread[i]) +
      table.byteLength(batch.operand[i]) +
      (named ? this.#names.locations.byteLength(locationNameId(location)) : 0);
    const output = this.#output;
    output.reserve(size + LINE_OVERHEAD);

    output.bytes(this.#names.threads.bytes(batch.thread[i]));
    output.byte(PIPE);
    output.bytes(this.#mnemonics[op]);
    if (table.byteLength(batch.operand[i]) > 0) {
      output.byte(OPEN);
      output.bytes(table.bytes(batch.operand[i]));
      output.byte(CLOSE);
    }
    if (location !== NO_LOCATION) {
      output.byte(PIPE);
      if (named) output.bytes(this.#names.locations.bytes(locationNameId(location)));
      else output.number(numericLocationValue(location));
    }
    output.byte(NEWLINE);
  }

  /** Looks at every name once, when it is new. */
  #checkNames(): void {
    const { threads, locks, variables, labels, locations } = this.#names;
    this.#check(threads, 'thread', (name) => name.length > 0 && !name.includes(PIPE) && !isSplit(name));
    // A thread name may also be an operand, but what a thread name must not hold covers that.
    this.#check(locks, 'lock', isOperand);
    this.#check(variables, 'variable', isOperand);
    this.#check(labels, 'label', (name) => name.length === 0 || isOperand(name));
    this.#check(
      locations,
      'location',
      (name) => !name.includes(NEWLINE) && !name.includes(0) && name.at(-1) !== RETURN,
    );
  }

  #check(table: NameTable, kind: string, fits: (name: Uint8Array) => boolean): void {
    for (let id = this.#checked.get(table) ?? 0; id < table.size; id++) {
      if (!fits(table.bytes(id))) {
        throw new InputProblem(`STD cannot hold the ${kind} name ${quoted(table.text(id))}`, {
          expected: 'a name without line breaks, NUL or separators; .trk holds any name',
        });
      }
    }
    this.#checked.set(table, table.size);
  }
}

function isOperand(name: Uint8Array): boolean {
  if (name.length === 0 || isSplit(name)) return false;
  for (let i = name.indexOf(CLOSE); i >= 0; i = name.indexOf(CLOSE, i + 1))
    if (name[i + 1] === PIPE) return false;
  return true;
}

function isSplit(name: Uint8Array): boolean {
  return name.includes(NEWLINE) || name.includes(0);
}
