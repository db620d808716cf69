import type { Command } from 'commander';
import { counted } from '../report/layout.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { quietOption } from './options.ts';
import { CLEAN, PREPARE } from './prepared-database.ts';

const EXAMPLES = `
Examples:
  trackside db prepare postgres://localhost/shop_test
  trackside run --schedule provoke test/two-requests.mjs
  trackside db clean postgres://localhost/shop_test

prepare adds a schema 'trackside' with a function and a sequence, and a trigger
'trackside_tell' to each table with a primary key. For each row that is changed,
the trigger tells who changed it: which row, what was there and what is there now,
and a number that grows. It does so by messages of the level INFO, which pg and
what builds upon it receive with the answer; Trackside takes them out of what
the program sees, but other clients show them. So prepare a database for
tests, and clean it afterwards: clean drops the schema, and with it the triggers.

With it, rows are exact that no statement names: UPDATE … WHERE status = 'new',
what triggers, functions and foreign keys do. And trackside join knows
the order in which processes have changed a row.

--print shows the statements instead, to run them by other means. The database is
spoken to by the package pg of your project, or by psql if there is none.

Exit codes:
  0  done
  2  the command was wrong, or the database has refused it
`;

const ACTIONS = ['prepare', 'clean'] as const;

interface Options {
  print: boolean;
  quiet: boolean;
}

export function addDbCommand(program: Command): void {
  program
    .command('db')
    .summary('prepare a test database to tell which rows change')
    .description(
      'Adds triggers to a test database of PostgreSQL that tell which rows a statement has changed, or takes them away again.',
    )
    .argument('<action>', 'prepare or clean')
    .argument('[url]', 'of the database, such as postgres://user@host:5432/shop_test')
    .option('--print', 'print the statements instead of running them', false)
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action(db);
}

async function db(action: string, url: string | undefined, { print, quiet }: Options): Promise<void> {
  const known = ACTIONS.find((each) => each === action);
  if (known === undefined) throw unknownName('action of trackside db', action, ACTIONS);
  const statements = known === 'prepare' ? PREPARE : CLEAN;
  if (print) {
    process.stdout.write(statements);
    return;
  }
  if (url === undefined || !/^postgres(?:ql)?:\/\//.test(url))
    throw new InputProblem('only databases of PostgreSQL can be prepared', {
      found: url === undefined ? 'no address' : printable(withoutPassword(url), 100),
      expected: 'an address such as postgres://user@host:5432/shop_test',
    });
  const { runStatements } = await import('./postgres-client.ts');
  const told = await runStatements(url, statements).catch((error: unknown) => {
    throw new InputProblem(`the database could not be ${known === 'prepare' ? 'prepared' : 'cleaned'}`, {
      found: printable(error instanceof Error ? error.message : String(error), 300),
      expected: 'a database of which you may change the tables',
    });
  });
  if (quiet) return;
  const tables = Number(told);
  process.stdout.write(
    known === 'prepare'
      ? `${counted(tables, 'table')} of ${withoutPassword(url)} ${tables === 1 ? 'tells' : 'tell'} what is changed; trackside db clean takes that away\n`
      : `${withoutPassword(url)} is as it was\n`,
  );
}

function withoutPassword(url: string): string {
  return url.replace(/^([^:]+:\/\/[^/@:]*):[^/@]*@/, '$1@');
}
