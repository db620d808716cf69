import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import type { ForkJoin } from './analysis.ts';

/** The two that find nothing: what reading costs, and what is in a trace. `all` does not include them. */
const MEASURING: ReadonlySet<string> = new Set(['empty', 'count']);

/** Those that know families of threads (SEMANTICS: `--fork-join family`), or to which they make no difference. */
const FAMILY: ReadonlySet<string> = new Set(['regiontrack', 'fasttrack', 'eraser', 'goodlock', ...MEASURING]);

/** Whether any of them may find something. */
export function mayFind(list: string): boolean {
  return list.split(',').some((name) => !MEASURING.has(name.trim()));
}

/**
 * Turns `--analysis a,b` into names out of those known; `all` stands for every analysis that finds something
 * under this reading of forks and joins.
 */
export function selectedNames(list: string, forkJoin: ForkJoin, known: readonly string[]): string[] {
  const chosen = new Set<string>();
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === 'all') {
      for (const other of known) if (!MEASURING.has(other) && supports(other, forkJoin)) chosen.add(other);
    } else {
      refuseUnfit(name, forkJoin, known);
      chosen.add(name);
    }
  }
  return [...chosen];
}

/** Whether all analyses of a list know families of threads. */
export function knowsFamilies(list: string): boolean {
  return list.split(',').every((name) => FAMILY.has(name.trim()));
}

function refuseUnfit(name: string, forkJoin: ForkJoin, known: readonly string[]): void {
  if (!known.includes(name)) {
    throw unknownName('analysis', name, [...known, 'all'], `all or some of ${known.join(', ')}`);
  }
  if (supports(name, forkJoin)) return;
  throw new InputProblem(`the analysis '${name}' knows no families of threads`, {
    found: `--fork-join ${forkJoin}`,
    expected: `--fork-join edge or boundary, or one of ${[...FAMILY].join(', ')}`,
  });
}

function supports(name: string, forkJoin: ForkJoin): boolean {
  return forkJoin !== 'family' || FAMILY.has(name);
}
