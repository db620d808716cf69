import { fileURLToPath } from 'node:url';
import type { EndpointState } from '../isolates/endpoint.ts';
import type { ProgramOptions } from '../loader/program-options.ts';

/** What a worker of the program is told before its first line, by the isolate that makes it. */
export interface WorkerStart {
  /** If it is made of a file. */
  file: string | null;
  /** If it is made of text: the text, and the source map of what is run for it. */
  text: { source: string; map: string } | null;
  /** If it is made of a `data:` URL. */
  dataUrl: string | undefined;
  /** What it is to see as `process.execArgv`. */
  execArgv: string[];
  region: SharedArrayBuffer;
  /** What the isolates know of the memory that they share. */
  sharedState: SharedArrayBuffer;
  /** Its place in the directory of the region. */
  index: number;
  /** Which of all workers of the program it is, counted from 1. */
  number: number;
  /** What reports call it. */
  name: string;
  /** The number of the channel between it and who made it. */
  channel: number;
  /** The ports in its data, in the order of `portsIn`. */
  ports: (EndpointState | null)[];
  program: ProgramOptions;
}

/** Under this key it is handed over as environment data, which is where nobody else looks. */
export const START_KEY = 'trackside.worker';

/** What the thread of a worker runs first. */
export const BOOT = fileURLToPath(new URL('../loader/worker-boot.cjs', import.meta.url));

export function workerName(number: number, given: unknown): string {
  return typeof given === 'string' && given !== '' ? `worker ${number} (${given})` : `worker ${number}`;
}
