import { type Command, Option } from 'commander';
import { trk } from '../formats/trk/index.ts';
import { childrenOption, childTraces } from './child-traces.ts';
import { applyConfig } from './config-file.ts';
import { convert, targetByEnding } from './convert.ts';
import { quietOption } from './options.ts';
import { addProgramArguments, existingScript, type ProgramCommandOptions } from './program-options.ts';
import { runProgram, wasKilled } from './program-process.ts';
import {
  chosenSchedule,
  type ScheduleCommandOptions,
  SEED_WORDS,
  scheduleOption,
  seedOption,
} from './schedule-options.ts';
import { scratchPath } from './scratch.ts';

const EXAMPLES = `
Examples:
  trackside record -o run.trk app.mjs        run it, and keep the trace
  trackside record -o run.std app.ts --fast  as text; --fast is the program's
  trackside record -o run.std --schedule random --seed 7 app.mjs
                                             in another order
  trackside check run.trk                    finds what trackside run finds
  trackside join run.trk run.1.trk run.2.trk the same for processes that it forks,
                                             which have files of their own

Exit codes:
  0  the trace was written
  2  the command was wrong
  A program that fails keeps its own exit code; its trace is written all the same.
`;

/** Only `.trk` has a place for what is known beside the events. */
const PLAIN =
  'note: only a .trk file holds what findings are judged by. Check this trace with --fork-join family, and expect more findings.\n';

/** `run.trk` becomes `run.2.trk`. */
function ofChild(output: string, number: string): string {
  const ending = /(?:\.[a-z]+(?:\.gz)?)?$/i.exec(output)?.[0] ?? '';
  return `${output.slice(0, output.length - ending.length)}.${number}${ending}`;
}

interface Options extends ProgramCommandOptions, ScheduleCommandOptions {
  output: string;
  quiet: boolean;
  children: boolean;
}

export function addRecordCommand(program: Command): void {
  const command = addProgramArguments(
    program
      .command('record')
      .summary('run a JavaScript or TypeScript program and write its trace')
      .description('Runs a program and writes what its tasks did to a trace, for every other command.'),
  )
    .addOption(
      new Option(
        '-o, --output <file>',
        'where the trace goes: .trk, .std, .csv, each also with .gz',
      ).makeOptionMandatory(),
    )
    .addOption(childrenOption())
    .addOption(scheduleOption())
    .addOption(seedOption(SEED_WORDS))
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => record(script, args, command));
}

async function record(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  const { children, instrument, order, output, quiet, stores, values } = options;
  const to = targetByEnding(output);
  const entry = await existingScript(script);
  const spool = await scratchPath();
  const schedule = chosenSchedule(options, options);
  const evidence = to.format === trk;
  const given = { instrument, schedule, order, stores, values, evidence, children };
  const code = await runProgram({ ...given, cwd: process.cwd(), entry, spool }, args);
  await convert(spool, output, { to, format: 'trk', lenient: wasKilled(code), quiet });
  for (const { path, number } of await childTraces(spool))
    await convert(path, ofChild(output, number), { to, format: 'trk', lenient: true, quiet });
  if (to.format !== trk && !quiet) process.stderr.write(PLAIN);
  if (code !== 0) process.exitCode = code;
}
