import type { Probes } from '../../probes.ts';
import type { CallSites } from './call-sites.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { Unit } from './units.ts';

type SharedMemoryProbes = Pick<Probes, 'announce' | 'enterUnit' | 'exitUnit'>;

export function sharedMemoryProbes(memory: SharedMemory, calls: CallSites): SharedMemoryProbes {
  const { units } = memory;
  return {
    announce(site, isUsed) {
      calls.announce(site, isUsed);
    },
    enterUnit: (site, ownSites, isStep = false) =>
      memory.isActive ? units.enter(site, ownSites, isStep) : undefined,
    exitUnit(unit) {
      units.exit(unit as Unit);
    },
  };
}
