import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ViolationResult } from '../check/result.ts';
import { printable, quoted } from '../trace/printable.ts';
import type { ProgramCheck } from './program-check.ts';
import { Progress } from './progress.ts';

/** A program that is over before this has its report soon enough. */
const FIRST_MS = 3000;

/** Between two looks at the trace; more if a look takes long, so that a server's trace may grow. */
const AGAIN_MS = 2000;
const SHARE = 10;

/** As if it had been killed now: the trace has no end yet. */
const UNFINISHED = 137;

const NAME = 60;

/**
 * Says what was found while a program keeps running: each finding once, in a line. The trace so far is checked and judged as the
 * whole of it will be, so that nothing is announced which the report does not hold.
 */
export async function announceFindings(
  check: ProgramCheck,
  spool: string,
  isOver: AbortSignal,
  write: (text: string) => void,
  first = FIRST_MS,
  again = AGAIN_MS,
): Promise<void> {
  const announcements = new Announcements();
  let size = 0;
  for (let wait = first; await isStillRunning(wait, isOver); ) {
    const now = await stat(spool).then(
      (file) => file.size,
      () => 0,
    );
    if (now === size) {
      for (const line of announcements.unchanged()) write(line);
      continue;
    }
    size = now;
    const start = performance.now();
    const silent = Progress.silent();
    const run = { spool, code: UNFINISHED, schedule: null };
    const results = await check.results(run, false, silent).catch(() => []);
    if (isOver.aborted) return;
    for (const line of announcements.found(results.flatMap(({ violations }) => violations))) write(line);
    wait = Math.max(again, SHARE * (performance.now() - start));
  }
}

/**
 * What is to be announced after each look at a trace that grows. What is found for the first time waits for the next look: what comes
 * later may excuse it, or show something worse of the same block.
 */
export class Announcements {
  readonly #told = new Set<string>();
  #pending: ReadonlyMap<string, string> = new Map();

  /** The lines to write, of what was found in the trace so far. */
  found(violations: readonly ViolationResult[]): string[] {
    const lines = new Map<string, string>();
    for (const violation of violations) {
      const line = lineOf(violation);
      if (line !== null) lines.set(line, `${violation.severity} ${violation.block?.label}`);
    }
    const again = new Map([...lines].filter(([line]) => this.#pending.has(line)));
    this.#pending = lines;
    return this.#tell(again);
  }

  /** The same if the trace has not grown. */
  unchanged(): string[] {
    return this.#tell(this.#pending);
  }

  /** A block is told once for each severity; the report says the rest. */
  #tell(lines: ReadonlyMap<string, string>): string[] {
    return [...lines].flatMap(([line, about]) => {
      if (this.#told.has(about)) return [];
      this.#told.add(about);
      return [line];
    });
  }
}

async function isStillRunning(wait: number, isOver: AbortSignal): Promise<boolean> {
  await pause(wait, undefined, { signal: isOver, ref: false }).catch(() => {});
  return !isOver.aborted;
}

/** Null for what only the report tells. */
function lineOf({ severity, block, because, interference }: ViolationResult): string | null {
  if (severity === 'note' || block === null || because === undefined) return null;
  const place = interference?.last.location ?? block.location ?? null;
  const at = place === null ? '' : ` (${printable(place, NAME)})`;
  const what = interference === null ? '' : ` with ${printable(interference.first.operand, NAME)}`;
  return `trackside: ${severity}: ${quoted(block.label, NAME)}${what}${at}: ${because.sentence} (${because.rule})\n`;
}
