import { resolve } from 'node:path';
import type { EventResult, ViolationResult } from '../../check/result.ts';
import { sourcePlace } from '../../check/source-place.ts';

/** A line of a stack: what test runners draw code frames, annotations and markers in editors from. */
export interface Frame {
  method: string;
  file: string;
  line: number;
  column: number;
}

/** The accesses that break a block, the one that makes it wrong first, as if they had called each other. */
export function framesOf({ interference, cycle, related, block }: ViolationResult, root: string): Frame[] {
  const events: readonly EventResult[] =
    interference !== null
      ? [interference.last, interference.between, interference.first]
      : [...cycle.flatMap(({ from, to }) => [to, from]), ...related];
  const own = interference?.last.thread;
  const frames: Frame[] = [];
  for (const { thread, location } of events) {
    const place = sourcePlace(location);
    if (place === null) continue;
    const { path, line, column } = place;
    // The runtime numbers tasks that run the same function.
    const method = thread === own && block !== null ? block.label : thread.replace(/ ?#\d+$/, '');
    const frame = { method, file: resolve(root, path), line, column: column ?? 1 };
    if (!frames.some((known) => textOf(known) === textOf(frame))) frames.push(frame);
  }
  return frames;
}

/** As V8 writes them. */
export function stackOf(frames: readonly Frame[]): string {
  return frames.map((frame) => `\n    at ${textOf(frame)}`).join('');
}

function textOf({ method, file, line, column }: Frame): string {
  // Names are whatever a program calls its functions; parsers of stacks know less.
  return `${method.replace(/[\s()]+/g, ' ').trim() || '<anonymous>'} (${file}:${line}:${column})`;
}
