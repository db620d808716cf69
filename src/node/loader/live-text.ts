import { printable, printableEnd, quoted } from '../../trace/printable.ts';
import type { LiveViolation, SeenAccess } from '../runtime/index.ts';

/** Longest name that is worth a line. */
const NAME = 80;

/** What is said while the program runs, as soon as a block is known not to be atomic. */
export function liveText({ label, task, access, other }: LiveViolation): string {
  const lines = [
    `trackside: ${quoted(label, NAME)} (${printable(task, NAME)}) was not atomic`,
    ...accessLines(access),
  ];
  if (other !== null) lines.push('  after', ...accessLines(other));
  return `${lines.join('\n')}\n`;
}

function accessLines({ task, op, stack }: SeenAccess): string[] {
  const frames = stack.map(({ label, location }) => {
    const where = location === null ? '' : ` (${printableEnd(location, NAME)})`;
    return `      at ${label === null ? 'top level' : printable(label, NAME)}${where}`;
  });
  return [`    ${printable(op, NAME)} by ${printable(task, NAME)}`, ...frames];
}
