import type { AdviceRow, Case, Words } from './row.ts';

/** `accounts#1.balance`, `users[email=…]`: names that may stand in a statement. */
const ROW = /^'?(?:[a-z]\w*\.)?([a-z]\w*)#[^.]*\.([a-z]\w*)'?$/i;
const PREDICATE = /^'?(?:[a-z]\w*\.)?([a-z]\w*)\[([a-z]\w*)=/i;

/** The table and the column of a variable, others where they cannot stand in a statement. */
export function placeOf({ variable }: Words): { table: string; column: string } {
  const [, table = 'items', column = 'n'] = ROW.exec(variable) ?? PREDICATE.exec(variable) ?? [];
  return { table, column };
}

/** One statement that looks and changes, and whose answer decides. */
function guarded(words: Words): string[] {
  const { table, column } = placeOf(words);
  return [
    'const { rowCount } = await db.query(',
    `  'UPDATE ${table} SET ${column} = ${column} - $1 WHERE id = $2 AND ${column} >= $1',`,
    '  [amount, id],',
    ');',
    '// nothing has changed if there was not enough left:',
    'return rowCount === 1;',
  ];
}

export const isRow = ({ facts }: Case) => facts.variable === 'row';
export const isPredicate = ({ facts }: Case) => facts.variable === 'predicate';
const isKey = ({ facts }: Case) => facts.variable === 'key';
export const isStale = ({ accesses }: Case) => /^r[wu][wu]$/.test(accesses);
export const isDecided = ({ facts: { dependsBy = [] } }: Case) =>
  dependsBy.includes('decision') && !dependsBy.includes('value');

/** Advice about state in databases: the store itself has to look, or to keep others out. */
export const DATABASE_ROWS: readonly AdviceRow[] = [
  {
    name: 'unique-constraint',
    of: 'program',
    applies: (one) => isPredicate(one) && isStale(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} looked which rows ${variable} has (event ${first}) and changed that (event ${last}). ${other} had changed it in between (event ${between}), so that both went by the same look.`,
    fix: () =>
      'Let the database decide: a unique constraint, and INSERT … ON CONFLICT DO NOTHING, then look whether a row was inserted; for a counter, ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n, then go by n. Where rows are counted, lock a row that all of them belong to first (SELECT … FOR UPDATE), or run the transaction as SERIALIZABLE and again if it fails with 40001.',
    sketch: (words) => {
      const { table, column } = placeOf(words);
      return [
        `// once, where tables are made: CREATE UNIQUE INDEX ON ${table} (${column})`,
        'const { rowCount } = await db.query(',
        `  'INSERT INTO ${table} (${column}) VALUES ($1) ON CONFLICT (${column}) DO NOTHING',`,
        '  [value],',
        ');',
        '// nothing was inserted if somebody else was sooner:',
        'return rowCount === 1;',
      ];
    },
  },
  {
    name: 'guarded-update',
    of: 'program',
    applies: (one) => isRow(one) && isStale(one) && isDecided(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} decided by ${variable} as it had read it (event ${first}). ${other} changed it (event ${between}) before ${own} wrote (event ${last}).`,
    fix: () =>
      'Put the check into the statement that writes, UPDATE … WHERE id = $1 AND balance >= $2, and look how many rows it has changed. Or read with SELECT … FOR UPDATE and write in the same transaction.',
    sketch: guarded,
  },
  {
    name: 'update-in-the-database',
    of: 'program',
    applies: (one) => isRow(one) && isStale(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} computed what it wrote to ${variable} (event ${last}) from what it had read before (event ${first}). ${other} had written it in between (event ${between}), and that is lost.`,
    fix: () =>
      'Let the database compute it: UPDATE … SET n = n - $1 WHERE id = $2 AND n >= $1. Or read with SELECT … FOR UPDATE and write in the same transaction; or write only if a version column is still what was read, and try again otherwise; or run the transaction as SERIALIZABLE, and again if it fails with 40001.',
    sketch: guarded,
  },
  {
    name: 'one-command-of-redis',
    of: 'program',
    applies: (one) => isKey(one) && isStale(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} went by ${variable} as it had read it (event ${first}). ${other} changed it (event ${between}) before ${own} wrote it (event ${last}).`,
    fix: () =>
      'Let one command look and change: INCR or HINCRBY, and decide by its answer; SET … NX PX to be the only one; GETDEL to take something once. What needs several steps belongs in a Lua script, or behind WATCH with MULTI and EXEC, tried again if EXEC gives nil.',
    sketch: () => [
      'const count = await redis.incr(key);',
      '// decided by what Redis has answered:',
      'return count <= limit;',
    ],
  },
];
