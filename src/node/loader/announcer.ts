import { writeSync } from 'node:fs';
import { type SpecificationParts, specificationFrom } from '../../spec/specification.ts';
import type { LiveViolation } from '../runtime/sinks/online.ts';
import { liveText } from './live-text.ts';

/** What other threads have to know to announce violations as well. */
export interface Announced {
  /** The labels of blocks that were announced. */
  labels: Set<string>;
  /** Which blocks are meant to be atomic. */
  meant: SpecificationParts;
}

/** Says each block once: a server may break one a thousand times a second. */
export function announcer({ labels, meant }: Announced): (violation: LiveViolation) => void {
  const specification = specificationFrom(meant);
  return (violation) => {
    if (labels.has(violation.label) || !specification.isAtomic(violation.label)) return;
    labels.add(violation.label);
    writeSync(2, liveText(violation));
  };
}
