import { quoted } from './printable.ts';
import { InputProblem } from './problem.ts';

/** A name that is not one of `known`, refused with the one that was probably meant. */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  expected = `one of ${known.join(', ')}`,
): InputProblem {
  const meant = nearest(name, known);
  const suggestion = meant === null ? '' : ` (did you mean ${quoted(meant)}?)`;
  return new InputProblem(`unknown ${kind} ${quoted(name, 60)}${suggestion}`, { expected });
}

/** The known name that is only a few letters away, or null. */
export function nearest(name: string, known: readonly string[]): string | null {
  const typed = name.slice(0, 40).toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of known) {
    const cut = typed.length >= 3 && candidate.startsWith(typed);
    const distance = cut ? 1 : editDistance(typed, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** How many letters must be put in, taken out, changed, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(changed, row[j] + 1, next[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2] + 1);
      }
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
