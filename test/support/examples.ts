import { readFileSync } from 'node:fs';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { MNEMONICS, type Op } from '../../src/trace/operation.ts';

/** A trace from the papers, or one that a published algorithm gets wrong, with what the definitions say of it. */
export interface Example {
  name: string;
  about: string;
  trace: MemoryTrace;
  serializable: boolean;
  firstEvent: number | null;
  violatedTransactions: number[];
  violatedBlocks: number[];
}

const folder = new URL('../fixtures/examples/', import.meta.url);

/** Every example in `test/fixtures/examples`. */
export function examples(): Example[] {
  const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
  return Object.entries(expected as Record<string, Omit<Example, 'name' | 'trace'>>).map(
    ([name, judgement]) => ({
      ...judgement,
      name,
      trace: MemoryTrace.of(readLines(readFileSync(new URL(`${name}.std`, folder), 'utf8'))),
    }),
  );
}

/** The examples are plain enough for one pattern; the reader of the format has tests of its own. */
function readLines(text: string): NamedEvent[] {
  return Array.from(
    text.matchAll(/^(\w+)\|(\w+)\(([^)\n]*)\)\|(\d+)$/gm),
    ([, thread, word, operand, location]) => ({
      thread,
      op: MNEMONICS.indexOf(word as (typeof MNEMONICS)[number]) as Op,
      operand,
      location,
    }),
  );
}
