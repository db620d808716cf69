import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of the program. */
export interface CallerPlace {
  path: string;
  line: number;
  /** Whether nothing but Node and Trackside itself stood between. */
  isDirect: boolean;
}

/** Where all that runs in programs lives, in `src` or `dist`. */
const OWN = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** How many frames are looked at: libraries may stand between the program and the call. */
const FRAMES = 30;

/**
 * The nearest line that led here of a file that `isProgram`, or else of any file but Node's and ours. With `isDirect`, null
 * if it is Node that has called.
 */
export function callerPlace(isProgram: (file: string) => boolean, isDirect = false): CallerPlace | null {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_error, frames) => frames;
    Error.captureStackTrace(holder, callerPlace);
    const frames = holder.stack;
    return Array.isArray(frames) ? nearest(frames as NodeJS.CallSite[], isProgram, isDirect) : null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

function nearest(
  frames: readonly NodeJS.CallSite[],
  isProgram: (file: string) => boolean,
  isDirect: boolean,
): CallerPlace | null {
  let other: CallerPlace | null = null;
  for (const frame of frames) {
    const name = frame.getFileName();
    const line = frame.getLineNumber();
    if (typeof name !== 'string' || line === null) continue;
    // Node loads a module, which is nothing that the program does to a file.
    if (name.startsWith('node:internal/modules')) return null;
    if (name.startsWith('node:')) {
      if (isDirect && other === null) return null;
      continue;
    }
    const file = fileOf(name);
    if (file.startsWith(OWN + path.sep)) continue;
    if (isProgram(file)) return { path: file, line, isDirect: other === null };
    if (path.isAbsolute(file)) other ??= { path: file, line, isDirect: false };
  }
  return other;
}

/** The paths of what stacks call files: there are few files, and many stacks. */
const paths = new Map<string, string>();
const MOST_PATHS = 1000;

function fileOf(name: string): string {
  let file = paths.get(name);
  if (file === undefined) {
    file = (name.startsWith('file:') ? fileURLToPath(name) : name).replace(/\?.*$/, '');
    if (paths.size >= MOST_PATHS) paths.clear();
    paths.set(name, file);
  }
  return file;
}
