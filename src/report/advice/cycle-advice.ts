import { operationText } from '../../check/operation-text.ts';
import type { ConflictResult } from '../../check/result.ts';
import { quoted } from '../../trace/printable.ts';
import { isLocking, isRead } from '../event-words.ts';
import type { Advised } from './row.ts';

const NAME = 40;

/** What to say where no three accesses tell the story, only a cycle of conflicts. */
export function cycleAdvice(
  { thread, block, cycle }: Advised,
  otherThreads: string,
): { why: string; fix: string } {
  const own = block === null ? 'each block' : `block ${quoted(block.label, NAME)}`;
  const fix = `Protect what belongs together by one lock that is held for the whole of ${own}, or make it two blocks if its parts need not happen together.`;
  if (isWriteSkew(cycle)) {
    const [one, two] = cycle;
    return {
      why: `Each of the two writes what the other has read before: ${quoted(one.from.operand, NAME)} and ${quoted(two.from.operand, NAME)}. Each decides by a value that the other changes, so that both together may break what each alone keeps (write skew).`,
      fix: 'Let both take the same lock before they read and keep it until they have written.',
    };
  }
  const { from: left } = cycle[0];
  const { to: returned } = cycle[cycle.length - 1];
  if (cycle.every(({ from, to }) => isLocking(from) && isLocking(to)) && left.thread === thread) {
    const others = new Set(cycle.flatMap(({ from, to }) => [from.thread, to.thread]));
    others.delete(thread);
    const [other] = others;
    const who = others.size === 1 ? quoted(other, NAME) : `${others.size} ${otherThreads}`;
    const [given, taken] = [left, returned].map(({ operand }) => quoted(operand, NAME));
    const [what, which] = given === taken ? ['it again', 'it'] : [taken, 'both'];
    return {
      why: `${own} gives up ${given} (event ${left.event}) and takes ${what} later (event ${returned.event}), and ${who} had ${which} in between: what the block does before and what it does after are not one step.`,
      fix,
    };
  }
  return {
    why:
      block === null
        ? 'Follow the arrows: each says which of two blocks has to come first, and they lead in a circle, so that there is no order in which the blocks could have run one after the other.'
        : `Follow the arrows: what ${otherThreads} did has to come after one part of ${own} and before another, so that there is no order in which it could have run alone.`,
    fix,
  };
}

/** Two transactions, each of which writes what the other has read. */
function isWriteSkew(cycle: readonly ConflictResult[]): boolean {
  return (
    cycle.length === 2 &&
    cycle.every(({ from, to }) => isRead(from) && !isRead(to)) &&
    operationText(cycle[0].from) !== operationText(cycle[1].from)
  );
}
