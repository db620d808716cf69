import { StdWriter } from '../formats/std-writer.ts';
import type { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import { InputProblem } from '../trace/problem.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Events as STD; null if STD cannot hold a name of the trace. Where one is not UTF-8, every byte is given as a
 * character: two names never become one.
 */
export async function stdText(batches: Iterable<EventBatch>, names: TraceNames): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  const writer = new StdWriter(names, async (bytes) => {
    pieces.push(bytes);
  });
  try {
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    return null;
  }
  const bytes = Buffer.concat(pieces);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
