import type { FindingFacts, VariableKind } from '../../check/result.ts';
import { isSharedMemory } from '../shared-memory-names.ts';
import type { VariableFacts } from './consequence.ts';
import type { FoundInterference } from './interferences.ts';

/** What reports have to know of an interference to give the right advice. */
export function findingFacts(
  { first, last, variable }: FoundInterference,
  { wasAbsent, source }: VariableFacts,
): FindingFacts {
  const awaits = source?.awaitsBetween(first.location, last.location) ?? [];
  const facts: FindingFacts = {
    variable: kindOf(variable),
    wasAbsent,
    ...(awaits.length === 0 ? {} : { awaits }),
  };
  const dependence = source?.dependence(last.location, first.location) ?? null;
  if (dependence === null) return facts;
  const { isValue, isDecision, change } = dependence;
  return {
    ...facts,
    dependsBy: [...(isValue ? (['value'] as const) : []), ...(isDecision ? (['decision'] as const) : [])],
    ...(change === null ? {} : { change }),
  };
}

/** As runtime/variable-names.ts makes the names. */
function kindOf(variable: string): VariableKind {
  if (isSharedMemory(variable)) return 'shared-memory';
  if (variable.startsWith('file ')) return 'file';
  if (/\.(?:length|size)$/.test(variable)) return 'size';
  if (/\[\d+\]$/.test(variable)) return 'element';
  if (variable.endsWith(']')) return 'entry';
  return / \([^()]*:\d+\)(?:~\d+)?$/.test(variable) ? 'binding' : 'property';
}
