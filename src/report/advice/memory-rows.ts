import type { AdviceRow, Case, Words } from './row.ts';

const isShared = ({ facts }: Case) => facts.variable === 'shared-memory';

const anywhere = ({ firstPlace, lastPlace }: Words) =>
  `Another thread can come in ${firstPlace === lastPlace ? `at ${firstPlace}` : `between ${firstPlace} and ${lastPlace}`}, though nothing is awaited there.`;

/** Advice about memory that worker threads share: others come in between any two accesses. */
export const MEMORY_ROWS: readonly AdviceRow[] = [
  {
    name: 'atomic-update',
    of: 'program',
    applies: (one) => isShared(one) && /^r[wu][wu]$/.test(one.accesses),
    fix: (words) =>
      `${anywhere(words)} Change it in one step, by Atomics.add or Atomics.compareExchange. Or hold a lock for the whole of it that the others hold as well.`,
    sketch: () => [
      'Atomics.add(cells, index, change);',
      '// or, for what is no sum, until nobody has come in between:',
      'let old;',
      'do old = Atomics.load(cells, index);',
      'while (Atomics.compareExchange(cells, index, old, changed(old)) !== old);',
    ],
  },
  {
    name: 'lock-shared-memory',
    of: 'program',
    applies: isShared,
    fix: (words) => `${anywhere(words)} Hold a lock for the whole of it that the others hold as well.`,
  },
];
