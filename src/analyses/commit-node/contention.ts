import { Op } from '../../trace/operation.ts';
import { IntList } from '../shared/int-list.ts';
import { SequenceTable } from '../shared/sequence-table.ts';
import { HELD, isAccess, operandOf, opOf } from './codes.ts';
import type { Recorder } from './recorder.ts';
import { Trimmer } from './trimming.ts';

/** Nothing is left of a unit. */
export const NOTHING = -1;

/**
 * What is left of units when the whole trace is known: accesses to variables over which threads contend, the
 * synchronized regions around them, forks and joins. A variable counts from its first access on if a second
 * thread ever touches it, because in another schedule that thread could have come earlier (§7.3).
 */
export class Contention {
  readonly sequences = new SequenceTable();
  /** For each sequence of the recording, what is left of it; or NOTHING. */
  readonly rest: Int32Array;
  readonly #recorder: Recorder;
  readonly #trimmer = new Trimmer();
  /** Where each code of a rest was in the sequence; those of sequence s start at `#originStarts[s]`. */
  readonly #origins = new IntList(256);
  readonly #originStarts: Int32Array;
  readonly #codes = new IntList();
  readonly #indices = new IntList();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    const recorded = recorder.units.sequences;
    this.rest = new Int32Array(recorded.size);
    this.#originStarts = new Int32Array(recorded.size);
    for (let sequence = 0; sequence < recorded.size; sequence++) this.#reduce(sequence);
  }

  /** Where a code of what is left of a sequence was in that sequence. */
  originOf(sequence: number, index: number): number {
    return this.#origins.items[this.#originStarts[sequence] + index];
  }

  #reduce(sequence: number): void {
    const { sequences } = this.#recorder.units;
    const start = sequences.start(sequence);
    const length = sequences.lengthOf(sequence);
    this.#codes.length = 0;
    this.#indices.length = 0;
    for (let i = 0; i < length; i++) this.#step(sequences.codes.items[start + i], i);
    this.#originStarts[sequence] = this.#origins.length;
    if (!this.#hasOperations()) {
      this.rest[sequence] = NOTHING;
      return;
    }
    const kept = this.#trimmer.trim(this.#codes.items, this.#codes.length);
    for (let i = 0; i < kept; i++) {
      const from = this.#trimmer.kept[i];
      this.#codes.items[i] = this.#codes.items[from];
      this.#origins.push(this.#indices.items[from]);
    }
    this.rest[sequence] = this.sequences.number(this.#codes.items, kept);
  }

  #hasOperations(): boolean {
    for (let i = 0; i < this.#codes.length; i++) if (opOf(this.#codes.items[i]) !== HELD) return true;
    return false;
  }

  #step(code: number, index: number): void {
    const op = opOf(code);
    const operand = operandOf(code);
    if (isAccess(op)) {
      if (!this.#recorder.isContended(operand)) return;
    } else if (op === Op.acquire || op === Op.release || op === HELD) {
      if (!this.#recorder.isSharedLock(operand)) return;
    }
    this.#codes.push(code);
    this.#indices.push(index);
  }
}
