import type { AdviceRow, Case } from './row.ts';

const isFile = ({ facts }: Case) => facts.variable === 'file';

/** Advice about files, which tasks and other processes read while they are written. */
export const FILE_ROWS: readonly AdviceRow[] = [
  {
    name: 'queue-updates-of-file',
    of: 'program',
    applies: (one) => isFile(one) && /^r[wu][wu]$/.test(one.accesses),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} wrote ${variable} (event ${last}) from what it had read before (event ${first}). ${other} had written it in between (event ${between}), and that is lost.`,
    fix: ({ calls }) =>
      `Reading and writing a file are two steps, and others run in between: let ${calls} run one after the other, each chained to the one before. Other processes need a lock file as well.`,
    sketch: () => [
      '// last: a promise that all calls share',
      'const turn = last.then(() => update(path));',
      'last = turn.catch(() => {});',
      'return turn;',
    ],
  },
  {
    name: 'write-aside-and-rename',
    of: 'program',
    applies: (one) => isFile(one) && /^(?:[wu].[wu]|r[wu]r|[wu][wu]r)$/.test(one.accesses),
    why: ({ other, variable, between }) =>
      `While ${variable} is being written, there is only a part of it there; ${other} met it in that state (event ${between}).`,
    fix: () =>
      'Write the content to a temporary file next to it and rename that over the old one: a reader then finds either the old content or the new, never a mixture.',
    sketch: () => [
      '// on the same disk:',
      'const aside = join(dirname(path), randomUUID());',
      'await writeFile(aside, content);',
      '// at once, for all who read it:',
      'await rename(aside, path);',
    ],
  },
];
