import { type Access, isChange } from './access.ts';

/**
 * Whether the act only led to another round of a loop that waits: its task looked again at the place of the stale read before anybody
 * else could come in, and its last change of the variable was made right after such a look. So it refills a bucket that it had seen
 * empty, and takes from it what it has seen in there by now. `while (stock > 0) { await ship(); stock-- }` looks again, too, but
 * acts upon none of these looks.
 *
 * `all` are the accesses to the variable, by anybody, and `index` is the act.
 */
export function isForAnotherRound(
  all: readonly Access[],
  index: number,
  block: number,
  first: Access,
): boolean {
  const act = all[index];
  const isOwn = ({ thread, families, inside }: Access) =>
    thread === act.thread && inside === null && families.includes(block);
  const later = all.slice(index + 1).filter(isOwn);
  const isLookedAtIn = (run: number, accesses: readonly Access[]) =>
    accesses.some((one) => one.letter === 'r' && one.location === first.location && one.run === run);
  if (!isLookedAtIn(act.run, later)) return false;
  const last = later.findLastIndex(isChange);
  return last !== -1 && isLookedAtIn(later[last].run, later.slice(0, last));
}
