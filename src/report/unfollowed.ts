import type { AnalysisResult } from '../check/result.ts';
import { printable } from '../trace/printable.ts';
import { counted } from './layout.ts';

const NAME = 60;

/** Which stores a result says nothing about, and why. */
export function unfollowedSentences({
  unfollowed = [],
  switchedOff = [],
}: Pick<AnalysisResult, 'unfollowed' | 'switchedOff'>): string[] {
  return [
    ...unfollowedFor(unfollowed, (them) => `Trackside has no adapter for ${them}`),
    ...unfollowedFor(switchedOff, () => 'Databases were not watched (--no-stores)'),
  ];
}

function unfollowedFor(packages: readonly string[], why: (them: string) => string): string[] {
  if (packages.length === 0) return [];
  const [them, they] = packages.length === 1 ? ['it', 'it stores'] : ['them', 'they store'];
  const names = packages.map((name) => printable(name, NAME)).join(', ');
  return [`Not followed: ${names}. ${why(them)}, so violations in what ${they} go unseen.`];
}

const STORES: ReadonlyMap<string, string> = new Map([
  ['postgresql', 'PostgreSQL'],
  ['sqlite', 'SQLite'],
  ['redis', 'Redis'],
  ['mongodb', 'MongoDB'],
]);

/** Of which statements a result knows little or nothing, a sentence for each kind of store. */
export function notUnderstoodSentences({
  notUnderstood = [],
}: Pick<AnalysisResult, 'notUnderstood'>): string[] {
  return notUnderstood.map(({ store, count, first }) => {
    const [were, they] = count === 1 ? ['was', 'it names'] : ['were', 'they name'];
    const name = STORES.get(store) ?? printable(store, NAME);
    const hasCommands = store === 'redis' || store === 'mongodb';
    const said = `${counted(count, hasCommands ? 'command' : 'statement')} of ${name} ${were} not understood`;
    const counts = hasCommands ? 'violations there go unseen' : `only the tables ${they} count`;
    const which = count === 1 ? '' : 'the first is ';
    const example = first === '' ? '' : ` (${which}${printable(first, NAME)})`;
    return `${said}: ${counts}${example}.`;
  });
}
