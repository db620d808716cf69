import fs from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuiltFile } from '../originals/built-file.ts';

/** What the program does with files is recorded; this is nothing that it does. */
const { readFileSync } = fs;

/** A line of the program. */
export interface CallerPlace {
  path: string;
  line: number;
  /** Whether nothing but Node and Trackside itself stood between. */
  isDirect: boolean;
  /** Whether its file is one that `isProgram`. */
  isProgram: boolean;
  /** Whether it waits for what has led here. */
  isWaiting: boolean;
}

/** Where all that runs in programs lives, in `src` or `dist`. */
const OWN_START = path.dirname(path.dirname(fileURLToPath(import.meta.url))) + path.sep;

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** How many frames are looked at: libraries may stand between the program and the call. Mostly a few are enough, and cost less. */
const FRAMES = 30;
const FEW_FRAMES = 8;
/** Below what was called itself there is the caller, and perhaps something that stands for what was called. */
const NEXT_FRAMES = 2;

/** What a stack begins below: a function that is being called. */
export type Callee = (...values: never[]) => unknown;

/**
 * The nearest line that led here of a file that `isProgram`, or else of any file but Node's and ours. With `isDirect`, null
 * if it is Node that has called. `callee`: what of ours was called, if that is known.
 */
export function callerPlace(
  isProgram: (file: string) => boolean,
  isDirect = false,
  callee: Callee | null = null,
): CallerPlace | null {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = framesOnly;
    const most = callee === null ? FEW_FRAMES : NEXT_FRAMES;
    const few = framesOf(most, callee);
    const near = nearest(few, isProgram, isDirect);
    if (near?.isProgram || few.length < most) return near;
    return nearest(framesOf(FRAMES, callee), isProgram, isDirect);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** Folders of drivers that are made of several parts: what one of them calls in another is the program's call. */
const parts: string[] = [];

export function leaveOut(folder: string): void {
  if (!parts.includes(folder)) parts.push(folder);
}

function framesOnly(_error: unknown, frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  return frames;
}

function framesOf(most: number, callee: Callee | null): readonly NodeJS.CallSite[] {
  const holder: { stack?: unknown } = {};
  Error.stackTraceLimit = most;
  Error.captureStackTrace(holder, callee ?? callerPlace);
  return Array.isArray(holder.stack) ? holder.stack : [];
}

function nearest(
  frames: readonly NodeJS.CallSite[],
  isProgram: (file: string) => boolean,
  isDirect: boolean,
): CallerPlace | null {
  let other: CallerPlace | null = null;
  for (const frame of frames) {
    const name = frame.getFileName();
    if (typeof name !== 'string') continue;
    // Node loads a module, which is nothing that the program does to a file.
    if (name.startsWith('node:internal/modules')) return null;
    if (name.startsWith('node:')) {
      if (isDirect && other === null) return null;
      continue;
    }
    const file = fileOf(name);
    if (file.startsWith(OWN_START) || parts.some((start) => file.startsWith(start))) continue;
    // That takes longer than all the rest.
    const line = frame.getLineNumber();
    if (line === null) continue;
    if (isProgram(file))
      return {
        ...originalLine(name, file, frame, line),
        isDirect: other === null,
        isProgram: true,
        isWaiting: frame.isAsync?.() ?? false,
      };
    if (path.isAbsolute(file))
      other ??= { path: file, line, isDirect: false, isProgram: false, isWaiting: false };
  }
  return other;
}

/** Files that were built from others; null until somebody asks, or if the map is not there any more. */
const built = new Map<string, BuiltFile | null | undefined>();

/** Lets the lines of a file be told as those of what it was built from. */
export function noteBuilt(file: string): void {
  built.set(file, undefined);
}

/** A line as people know it. What was compiled here, or before, has others in its stacks. */
function originalLine(
  name: string,
  file: string,
  frame: NodeJS.CallSite,
  line: number,
): { path: string; line: number } {
  const column = frame.getColumnNumber();
  if ((!built.has(file) && !TYPESCRIPT.test(file)) || column === null) return { path: file, line };
  const entry = findSourceMap(name)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalLine' in entry)) return { path: file, line };
  const here = { path: file, line: entry.originalLine + 1 };
  if (!built.has(file)) return here;
  if (built.get(file) === undefined) built.set(file, readBuilt(file));
  const from = built.get(file);
  const origin = from?.origin(here.line, entry.originalColumn);
  return origin ? { path: from!.sources[origin.source].path, line: origin.line } : here;
}

function readBuilt(file: string): BuiltFile | null {
  try {
    return BuiltFile.of(file, readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
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
