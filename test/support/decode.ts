import type { Format } from '../../src/formats/format.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { Op } from '../../src/trace/operation.ts';
import { InputProblem, type Position } from '../../src/trace/problem.ts';

export interface DecodeAllOptions {
  lenient?: boolean;
  /** How many new bytes each window brings, used in turn and then again; one window of everything if absent. */
  windowSizes?: readonly number[];
  /** Say `last` only with one more, empty window, as a stream does that ends after its last bytes. */
  endsApart?: boolean;
  batchCapacity?: number;
}

export interface Decoded {
  /** Every event that was handed over, those before a problem included. */
  trace: MemoryTrace;
  /** Where each of those events stood, as `locate` says it. */
  positions: Position[];
  problem: InputProblem | null;
  repaired: number;
}

/** No byte of the input: what a decoder finds when it looks outside its window. */
const SCRIBBLE = 0xaa;

/**
 * Feeds `bytes` to a decoder as the reader does: in windows that overlap what was left unread, with batches
 * that fill up in the middle of a window. Every window is a new piece of memory and the old one is scribbled
 * over, so that a decoder which keeps bytes, or reads beyond its window, gives wrong events here. Anything
 * thrown that is not an `InputProblem` is a bug of the decoder and passes through.
 */
export function decodeAll(format: Format, bytes: Uint8Array, options: DecodeAllOptions = {}): Decoded {
  const trace = new MemoryTrace();
  const decoder = format.decoder({ names: trace.names, lenient: options.lenient ?? false });
  const positions: Position[] = [];
  const batch = new EventBatch(options.batchCapacity);
  const windowSizes = options.windowSizes ?? [Math.max(bytes.length, 1)];

  let window = new Uint8Array(0);
  let from = 0;
  let to = 0;
  let fed = 0;

  const handOver = () => {
    for (let i = 0; i < batch.length; i++) {
      trace.push(batch.thread[i], batch.op[i] as Op, batch.operand[i], batch.location[i]);
      positions.push(decoder.locate(window, batch.offset[i]));
    }
    batch.advance();
  };

  try {
    for (let turn = 0; ; turn++) {
      const more = Math.min(Math.max(windowSizes[turn % windowSizes.length], 1), bytes.length - fed);
      const last = options.endsApart ? turn > 0 && fed === bytes.length : fed + more === bytes.length;

      decoder.windowMoved(window, from);
      const next = new Uint8Array(to - from + more + 16).fill(SCRIBBLE);
      next.set(window.subarray(from, to));
      next.set(bytes.subarray(fed, fed + more), to - from);
      window.fill(SCRIBBLE);
      window = next;
      to = to - from + more;
      from = 0;
      fed += more;

      for (;;) {
        const used = decoder.decode(window, from, to, last, batch);
        if (used < from || used > to) throw new Error(`decode(${from}, ${to}) returned ${used}`);
        const progressed = used > from || batch.length > 0;
        from = used;
        handOver();
        if (!progressed) break;
      }
      if (last) {
        if (from !== to) throw new Error(`${to - from} bytes were left unread at the end`);
        break;
      }
      if (to - from > decoder.piece.limit) {
        throw new InputProblem(`${decoder.piece.name} longer than ${decoder.piece.limit} bytes`, {
          position: decoder.locate(window, from),
        });
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof InputProblem)) throw thrown;
    // What was whole before the problem has been read and counts.
    handOver();
    return { trace, positions, problem: thrown, repaired: decoder.repaired };
  }
  return { trace, positions, problem: null, repaired: decoder.repaired };
}
