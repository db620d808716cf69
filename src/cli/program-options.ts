import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ORDERS, type Order } from '../node/loader/program-options.ts';
import { InputProblem } from '../trace/problem.ts';
import { collect } from './options.ts';

/** Options of every command that runs a program. */
export interface ProgramCommandOptions {
  instrument: string[];
  order: Order;
  values: boolean;
  stores: boolean;
}

export function addProgramArguments(command: Command): Command {
  return command
    .argument('<script>', "the program's first file: JavaScript or TypeScript")
    .argument('[args...]', 'for the program; options after the script are its own')
    .passThroughOptions()
    .addOption(
      new Option(
        '--instrument <glob>',
        "files to watch besides the program's own, such as 'node_modules/keyv/**'; '!glob' leaves files out (repeatable)",
      )
        .default([])
        .argParser(collect),
    )
    .addOption(
      new Option(
        '--order <how>',
        'how accesses of threads to shared memory are ordered: exact, or fast without a lock around each',
      )
        .choices(ORDERS)
        .default('exact'),
    )
    .option('--no-stores', 'do not follow what drivers do to databases (docs/explanation/databases.md)')
    .addOption(
      new Option(
        '--no-values',
        'do not record the values that were read and written; short ones are, but for what looks like a secret',
      ),
    );
}

/** Node would complain too, but only after its own start and in its own words. */
export async function existingScript(script: string): Promise<string> {
  const path = resolve(script);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return path;
  throw new InputProblem(found === null ? 'there is no such program' : 'this is not a file', {
    file: script,
    expected: 'a JavaScript or TypeScript file, such as app.mjs',
  });
}
