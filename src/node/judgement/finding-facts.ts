import type { FindingFacts, VariableKind } from '../../check/result.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import type { Case } from './case.ts';

/** Kinds of variables that reports know by other words. */
const KINDS: ReadonlyMap<string, VariableKind> = new Map<string, VariableKind>([
  ['binding', 'binding'],
  ['entry', 'entry'],
  ['element', 'element'],
  ['size', 'size'],
  ['file', 'file'],
  ['memory', 'shared-memory'],
  ['marked', 'marked'],
  ['row', 'row'],
  ['column', 'row'],
  ['predicate', 'predicate'],
  ['absent', 'predicate'],
  ['part', 'predicate'],
  ['table', 'predicate'],
  ['key', 'key'],
  ['field', 'key'],
  ['document', 'key'],
]);

/** What reports have to know of an interference to give the right advice. */
export function findingFacts({ variable, first, last, relation, sites, blockLocation }: Case): FindingFacts {
  const awaits = sites.awaitsBetween(first, last);
  const dependsBy = relation === 'none' ? [] : sites.dependsBy(last, first, blockLocation);
  const facts: FindingFacts = {
    variable: KINDS.get(variable.facts.kind ?? '') ?? 'property',
    wasAbsent: variable.facts.absent === true,
    ...(/^mongodb /.test(variable.facts.store ?? '') ? { store: 'mongodb' as const } : {}),
    ...(awaits.length === 0 ? {} : { awaits }),
  };
  const isStep = sites.has(last, SiteBit.stepUp | SiteBit.stepDown | SiteBit.ownChange);
  return {
    ...facts,
    ...(dependsBy.length === 0 ? {} : { dependsBy }),
    ...(sites.has(last, SiteBit.removal)
      ? { change: 'take' as const }
      : isStep
        ? { change: 'step' as const }
        : {}),
  };
}
