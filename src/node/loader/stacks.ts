import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { quotesProbe } from '../runtime/caught.ts';
import type { EvaluatedText } from './evaluated-text.ts';
import { instrumenter } from './instrumenter-link.ts';
import type { SourcePlace } from './messages.ts';

type Frame = NodeJS.CallSite;

/** Node calls callbacks through this while somebody has an AsyncLocalStorage, as we have. */
const ASYNC_HOOKS = 'node:internal/async_hooks';

/** Our own code, which has no place in the stacks of a program: modules by their URLs, CommonJS by its paths. */
const OWN_URL = new URL('../', import.meta.url).href;
const OWN_PATH = fileURLToPath(OWN_URL);

/**
 * Lets stacks show the positions of the original sources, in the very words that they would have without us: Node by
 * itself would write a path instead of a URL for files with a source map, and `<anonymous>` where there was no name.
 */
export function keepStacks(text: EvaluatedText | null = null): void {
  process.setSourceMapsEnabled(true);
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    writable: true,
    enumerable: false,
    value: (error: unknown, frames: readonly Frame[]) => {
      repair(error, frames, text);
      return [headOf(error, frames), ...linesOf(frames, text)].join('\n');
    },
  });
}

function repair(error: unknown, frames: readonly Frame[], text: EvaluatedText | null): void {
  if (frames.length === 0 || !quotesProbe(error)) return;
  try {
    const place = originalPlace(frames[0], text);
    if (place !== null) instrumenter().repairMessage(error, place, text);
  } catch {
    // The source is not there any more: then the message stays as it is.
  }
}

function* linesOf(frames: readonly Frame[], text: EvaluatedText | null): Generator<string> {
  for (const [i, frame] of frames.entries()) {
    const caller = frames[i + 1];
    if (isOurs(frame) || (caller !== undefined && isScope(frame) && isOurs(caller))) continue;
    yield `    at ${calledBy(frames, i, original(frame, originalPlace(frame, text)))}`;
  }
}

function isOurs(frame: Frame): boolean {
  const file = frame.getFileName() ?? '';
  return file.startsWith(OWN_PATH) || file.startsWith(OWN_URL) || file === ASYNC_HOOKS;
}

/** Restores, for us, what an AsyncLocalStorage held. */
function isScope(frame: Frame): boolean {
  return frame.getFileName() === 'node:async_hooks';
}

/** A callback of a timer is a method of the timer, had we not put ours in its place: `Timeout._onTimeout`. */
function calledBy(frames: readonly Frame[], at: number, text: string): string {
  const frame = frames[at];
  for (let i = at + 1; i < frames.length && (isOurs(frames[i]) || isScope(frames[i])); i++) {
    const method = frames[i].getTypeName() === frame.getTypeName() ? frames[i].getMethodName() : null;
    if (method === null) continue;
    const name = frame.getFunctionName();
    if (name?.endsWith(method)) return text;
    return name ? text.replace(' (', ` [as ${method}] (`) : text.replace('<anonymous>', method);
  }
  return text;
}

function headOf(error: unknown, frames: readonly Frame[]): string {
  try {
    if (isNodeError(error, frames)) return `${error.name} [${error.code}]: ${error.message}`;
    return Error.prototype.toString.call(error);
  } catch (problem) {
    return `<error: ${problem}>`;
  }
}

/** Whether it was made by Node itself, whose errors begin with their code as well. */
function isNodeError(error: unknown, frames: readonly Frame[]): error is Error & { code: string } {
  if (!(error instanceof Error) || !frames[0]?.getFileName()?.startsWith('node:')) return false;
  // That of a rejection nobody handles has a name of its own, and is an ordinary one.
  if (Object.hasOwn(error, 'name')) return false;
  const code: unknown = Object.getOwnPropertyDescriptor(error, 'code')?.value;
  return typeof code === 'string' && code.startsWith('ERR_');
}

function original(frame: Frame, place: SourcePlace | null): string {
  const text = String(frame);
  if (place === null) return text;
  const { file, line, column } = place;
  const here = `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  return text.replace(here, () => `${file}:${line + 1}:${column + 1}`);
}

/** Null if the file has no source map. */
function originalPlace(frame: Frame, text: EvaluatedText | null): SourcePlace | null {
  const file = frame.getFileName();
  const line = frame.getLineNumber();
  const column = frame.getColumnNumber();
  if (!file || line === null || column === null) return null;
  const entry = (text?.mapOf(file) ?? findSourceMap(file))?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalLine' in entry)) return null;
  return { file, line: entry.originalLine, column: entry.originalColumn };
}
