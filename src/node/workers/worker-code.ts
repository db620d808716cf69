import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { isEvaluated, WORKER_MODULE, WORKER_SCRIPT, withoutMap } from '../loader/evaluated-text.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import { callerPlace } from '../runtime/caller-place.ts';
import type { WorkerStart } from './worker-start.ts';

/** What a worker is made of. */
export interface WorkerCode extends Pick<WorkerStart, 'text' | 'dataUrl'> {
  /** The first argument of `new Worker`. */
  given: unknown;
  /** The file, if it is one. */
  file: string | null;
}

/** What the program has given to `new Worker`, and what Node is to be given. */
export function workerCode(
  given: unknown,
  options: WorkerOptions | undefined,
  transformer: SourceTransformer,
): WorkerCode {
  const code: WorkerCode = { given, file: null, text: null, dataUrl: undefined };
  if (options?.eval) return typeof given === 'string' ? { ...code, ...textCode(given, transformer) } : code;
  if (given instanceof URL) {
    if (given.protocol === 'file:') return { ...code, file: fileURLToPath(given) };
    return given.protocol === 'data:' && isOfProgram(transformer) ? { ...code, dataUrl: given.href } : code;
  }
  const isPath = typeof given === 'string' && (path.isAbsolute(given) || /^\.\.?[\\/]/.test(given));
  return isPath ? { ...code, file: path.resolve(given) } : code;
}

/** Node runs what it is given as text, so that it has to be instrumented before. */
function textCode(source: string, transformer: SourceTransformer): Partial<WorkerCode> {
  if (!isOfProgram(transformer)) return {};
  const format = transformer.formatOf(WORKER_SCRIPT, source);
  const name = format === 'module' ? WORKER_MODULE : WORKER_SCRIPT;
  const made = withoutMap(transformer.transform(name, source, format));
  return made === null ? {} : { given: made.code, text: { source, map: made.map } };
}

/** Whether a worker that is made of text is made by a file of the program, and not by a package. */
function isOfProgram(transformer: SourceTransformer): boolean {
  const caller = callerPlace(() => true);
  return caller === null || isEvaluated(caller.path) || transformer.selects(caller.path);
}
