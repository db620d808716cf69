import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TraceReader } from '../formats/read.ts';
import { TrkEncoder } from '../formats/trk/writer.ts';
import type { EventBatch } from '../trace/batch.ts';
import type { NamesById, NameTables } from '../trace/names.ts';
import { Op } from '../trace/operation.ts';
import { namesOf } from './judge.ts';

/**
 * Rewrites a trace with names that people can read in the place of addresses, which only this machine understands, and
 * without the blocks that are none, after all.
 */
export async function nameReadably(path: string): Promise<void> {
  const names = await namesOf(path);
  const reader = await TraceReader.open(path, { lenient: true });
  const encoder = new TrkEncoder(renamed(reader.names, (text) => names.readable(text)));
  const made = `${path}.named`;
  const isBlock = (label: number) => !names.guessed.has(reader.names.labels.text(label));
  await pipeline(Readable.from(encoded(reader, encoder, isBlock)), createWriteStream(made));
  await rename(made, path);
}

async function* encoded(
  reader: TraceReader,
  encoder: TrkEncoder,
  isBlock: (label: number) => boolean,
): AsyncGenerator<Uint8Array> {
  for await (const batch of reader.batches()) {
    keepBlocks(batch, isBlock);
    yield* encoder.encode(batch);
  }
  yield* encoder.finish();
}

/** Leaves out the begins and ends of all other blocks. */
function keepBlocks(batch: EventBatch, isBlock: (label: number) => boolean): void {
  const { op, operand, thread, location, length } = batch;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    if ((op[i] === Op.begin || op[i] === Op.end) && !isBlock(operand[i])) continue;
    op[kept] = op[i];
    operand[kept] = operand[i];
    thread[kept] = thread[i];
    location[kept] = location[i];
    kept++;
  }
  batch.length = kept;
}

function renamed(tables: NameTables, rename: (text: string) => string): NameTables {
  const { threads, locks, variables, labels, locations } = tables;
  return {
    threads,
    labels,
    locks: new RenamedTable(locks, rename),
    variables: new RenamedTable(variables, rename),
    locations: new RenamedTable(locations, rename),
  };
}

/** A table of names, with others. */
class RenamedTable implements NamesById {
  readonly #table: NamesById;
  readonly #rename: (text: string) => string;

  constructor(table: NamesById, rename: (text: string) => string) {
    this.#table = table;
    this.#rename = rename;
  }

  get size(): number {
    return this.#table.size;
  }

  text(id: number): string {
    return this.#rename(this.#table.text(id));
  }

  bytes(id: number): Uint8Array {
    return Buffer.from(this.text(id));
  }

  byteLength(id: number): number {
    return this.bytes(id).length;
  }
}
