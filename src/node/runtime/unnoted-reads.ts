import type { Activation } from '../core/activation.ts';
import { type Log, type LogChunk, placeInChunk } from '../core/log.ts';
import type { Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';

/*
 * Who has read a variable is asked when it is changed, and most are never. So reads are noted when somebody asks or, for those who may
 * still act upon them by then, when they leave the log: most are over.
 */

/** Notes a read for a block and those that have led to it; `former` is the block that it seemed to be for, if there is one. */
export type NoteRead = (
  variable: VariableRecord,
  block: Activation,
  former: Activation | null,
  by: Activation,
  entry: number,
  segment: number,
  site: number,
  task: Task,
) => void;

export class UnnotedReads {
  readonly #log: Log;
  readonly #note: NoteRead;

  constructor(log: Log, note: NoteRead) {
    this.#log = log;
    this.#note = note;
  }

  /** The read that was pushed last, by this entry, is noted later. */
  add(variable: VariableRecord, block: Activation, entry: number, segment: number): void {
    this.#log.noteRead(block, segment, variable.unnoted);
    variable.unnoted = entry;
  }

  /** Notes all reads of the variable, the oldest first. */
  noteAll(variable: VariableRecord): void {
    const entries: number[] = [];
    for (let entry = variable.unnoted; entry >= 0; ) {
      const chunk = this.#log.chunkOf(entry);
      const i = placeInChunk(entry);
      // What is left of another recording says nothing.
      if (chunk === null || chunk.subject[i] !== variable || chunk.block[i] === null) break;
      entries.push(entry);
      entry = chunk.before[i];
    }
    variable.unnoted = -1;
    for (let n = entries.length - 1; n >= 0; n--) {
      const chunk = this.#log.chunkOf(entries[n]) as LogChunk;
      this.noteEntry(variable, chunk, placeInChunk(entries[n]), entries[n]);
    }
  }

  /** The read leaves the log, and all before it have; it is noted if anybody wants to know. */
  leave(variable: VariableRecord, chunk: LogChunk, i: number, entry: number, isWanted: boolean): void {
    if (chunk.block[i] === null) return;
    if (variable.unnoted === entry) variable.unnoted = -1;
    if (isWanted) this.noteEntry(variable, chunk, i, entry);
  }

  /** Notes one read. */
  noteEntry(variable: VariableRecord, chunk: LogChunk, i: number, entry: number): void {
    const block = chunk.block[i]!;
    const former = chunk.former[i];
    chunk.block[i] = null;
    this.#note(variable, block, former, chunk.by[i]!, entry, chunk.segment[i], chunk.site[i], chunk.task[i]!);
  }
}

/** The read by an entry is for another block than it seemed; false if it is noted, or that has happened before. */
export function moveRead(chunk: LogChunk, i: number, block: Activation): boolean {
  if (chunk.block[i] === null || chunk.former[i] !== null) return false;
  chunk.noteFormer(i, chunk.block[i]!);
  chunk.block[i] = block;
  return true;
}
