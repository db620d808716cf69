import { type Command, Option } from 'commander';
import { trk } from '../formats/trk/index.ts';
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

Exit codes:
  0  the trace was written
  2  the command was wrong
  A program that fails keeps its own exit code; its trace is written all the same.
`;

/** Only `.trk` has a place for what is known beside the events. */
const PLAIN =
  'note: only a .trk file holds what findings are judged by. Check this trace with --fork-join family, and expect more findings.\n';

interface Options extends ProgramCommandOptions, ScheduleCommandOptions {
  output: string;
  quiet: boolean;
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
    .addOption(scheduleOption())
    .addOption(seedOption(SEED_WORDS))
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => record(script, args, command));
}

async function record(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  const { instrument, order, output, quiet, stores, values } = options;
  const to = targetByEnding(output);
  const entry = await existingScript(script);
  const spool = await scratchPath();
  const schedule = chosenSchedule(options, options);
  const program = { cwd: process.cwd(), entry, instrument, spool, schedule, order, stores, values };
  const code = await runProgram(program, args);
  await convert(spool, output, { to, format: 'trk', lenient: wasKilled(code), quiet });
  if (to.format !== trk && !quiet) process.stderr.write(PLAIN);
  if (code !== 0) process.exitCode = code;
}
