import { writeSync } from 'node:fs';
import type { LiveViolation } from '../runtime/sinks/online.ts';
import { liveText } from './live-text.ts';

/** The labels of blocks that were announced. */
export type Announced = Set<string>;

/** Says each block once: a server may break one a thousand times a second. */
export function announcer(announced: Announced): (violation: LiveViolation) => void {
  return (violation) => {
    if (announced.has(violation.label)) return;
    announced.add(violation.label);
    writeSync(2, liveText(violation));
  };
}
