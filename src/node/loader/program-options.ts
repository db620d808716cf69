import type { ScheduleOptions } from '../../trace/schedule-options.ts';
import type { TurnsOptions } from '../runtime/turns/options.ts';
import type { ModuleFormat } from './module-kind.ts';

export const ORDERS = ['exact', 'fast'] as const;
export type Order = (typeof ORDERS)[number];

/** How a program is to be run: made by the command, read in the program's process before its first line. */
export interface ProgramOptions {
  /** Where the command was started. */
  cwd: string;
  /** The program's first file. */
  entry: string;
  /** See `Selection`. */
  instrument: readonly string[];
  atomic?: readonly string[];
  /** Blocks whose calls take turns. */
  turns?: TurnsOptions;
  /** Where the trace goes. */
  spool: string;
  /** The folder in which what was in the files that it changes is kept, if somebody wants to run it again. */
  keptFiles?: string;
  /** What Node takes the first file for, if somebody has found out. */
  format?: ModuleFormat;
  /** Null: as it comes. */
  schedule: ScheduleOptions | null;
  /** Whether what is done to databases is followed; so it is unless this is false. */
  stores?: boolean;
  /** Whether the trace is to hold what orders it among those of other processes that use the same stores. */
  evidence?: boolean;
  /** Whether processes that it forks are watched, too. */
  children?: boolean;
  /** For such a process: which of them it is. */
  child?: string;
  /** Whether an access to memory that threads share and its place in the order are taken together. */
  order: Order;
  /** Whether the trace need not hold more than what can be part of a violation in this run. */
  violationsOnly?: boolean;
  /** Whether short values that were read and written are recorded, for reports to show; they are if nothing is said. */
  values?: boolean;
}

/** What comes behind the path of the trace in those of its children, before their numbers. */
export const CHILD_ENDING = '.child-';

const VARIABLE = 'TRACKSIDE_PROGRAM';

export function environmentOf(options: ProgramOptions): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(options) };
}

export function hasProgramOptions(): boolean {
  return process.env[VARIABLE] !== undefined;
}

/** Takes the options out of the environment, which is the program's own from then on. */
export function takeProgramOptions(): ProgramOptions | null {
  const text = process.env[VARIABLE];
  if (text === undefined) return null;
  delete process.env[VARIABLE];
  return JSON.parse(text);
}
