/*
 * The probes that record nothing, and tell which of them run.
 */

import { passThrough } from '../../src/node/pass-through.ts';
import type { Probes } from '../../src/node/probes.ts';

/** `saw` is called with the name of every probe that runs. */
export function passThroughProbes(saw: (probe: string) => void): Probes {
  const seen = Object.entries(passThrough).map(([name, probe]) => [
    name,
    (...args: unknown[]) => {
      saw(name);
      return (probe as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(seen);
}
