import { constants } from 'node:buffer';
import { existsSync } from 'node:fs';
import { parseBaseline } from '../check/baseline-file.ts';
import type { CheckReport, KnownViolation } from '../check/result.ts';
import { parseResults } from '../check/saved-results.ts';
import { asInputProblem, openBytes } from '../formats/bytes.ts';
import { InputProblem } from '../trace/problem.ts';

const CHUNK = 1 << 20;

/** Reads saved results from a file, or from standard input for `-`; gzip is unpacked. */
export async function readResults(path: string): Promise<CheckReport> {
  return parseResults(await readText(path), path === '-' ? 'standard input' : path);
}

/** The violations that a baseline lists; none if there is no such file and one is about to be written. */
export async function readBaseline(path: string, mayLack: boolean): Promise<KnownViolation[]> {
  if (mayLack && !existsSync(path)) return [];
  return parseBaseline(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  const source = await openBytes(path, { lenient: false });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const count = await source.read(chunk, 0);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      length += count;
      // No string is longer, and a document is one string before it is anything else.
      if (length > constants.MAX_STRING_LENGTH) {
        throw new InputProblem('these results are too long to be read', {
          file: path,
          found: `more than ${constants.MAX_STRING_LENGTH} bytes`,
        });
      }
    }
  } catch (error) {
    throw asInputProblem(error, path);
  } finally {
    await source.close();
  }
  return Buffer.concat(chunks, length).toString('utf8');
}
