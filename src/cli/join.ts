import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { RecordedProgram } from '../check/recorded-program.ts';
import { joinTraces, type ProcessTrace } from '../node/join/index.ts';
import { InputProblem } from '../trace/problem.ts';
import { checkInput } from './check.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { addSpecificationOptions, type SpecificationOptions } from './options.ts';
import { Progress } from './progress.ts';
import { optionsForRecorded } from './recorded-options.ts';
import { scratchPath } from './scratch.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside record -o a.trk server.mjs       one process, and at the same time
  trackside record -o b.trk server.mjs       another one, with the same database
  trackside join a.trk b.trk                 what they did to each other's rows
  trackside join a.trk b.trk -o all.trk      keep them as one trace, in one order
  trackside join *.trk --reporter json=results.json

The order comes from what each process has read and written, never from clocks.
What is true in only some of the orders that are possible is counted, and not
reported. docs/explanation/processes.md says how that is decided.

trackside run watches the processes that a program forks by itself.

${EXIT_CODES}`;

interface Options extends SpecificationOptions, ReportingOptions {
  output?: string;
  notes: boolean;
}

export function addJoinCommand(program: Command): void {
  const command = program
    .command('join')
    .summary('check several processes that share a database')
    .description(
      'Joins the traces of several processes, in the order that the database has shown to them, and says which blocks were not atomic.',
    )
    .argument('<trace.trk...>', 'what trackside record has written, one for each process')
    .addOption(new Option('-o, --output <file>', 'keep the joined trace, as .trk'))
    .option('--notes', 'also report what is most likely meant to be so', false);
  addSpecificationOptions(command);
  addReportingOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((paths: string[], options: Options) => join(paths, options));
}

async function join(paths: string[], options: Options): Promise<void> {
  if (paths.length < 2)
    throw new InputProblem('there is nothing to join', {
      found: 'one trace',
      expected: 'a trace for each process, such as a.trk b.trk',
    });
  const reports = await CheckReports.open(TOOL, options);
  const path = options.output ?? (await scratchPath());
  const traces = named(paths);
  const progress = new Progress(process.stderr, options);
  progress.start('joining the traces');
  const joined = await joinTraces(traces, path);
  progress.clear();
  const input = { path, rereadable: true, problem: null };
  const given = {
    ...options,
    analysis: 'regiontrack',
    format: 'trk',
    forkJoin: 'family',
    confirm: false,
  } as const;
  const recorded = await optionsForRecorded(input, given, true);
  if (recorded === null) throw new InputProblem('the joined trace cannot be read', { file: path });
  const program = new RecordedProgram();
  const results = await checkInput(
    input,
    {
      ...given,
      ...recorded,
      lenient: true,
      first: false,
      sourceRoot: [],
      specification: recorded.specification,
      subtraces: false,
      onSection: (section) => program.take(section),
    },
    progress,
  );
  await reports.trace(
    results.map((result) => ({
      ...joined.certain(program.recorded(result)),
      trace: paths.join(' + '),
      joined: paths,
    })),
  );
  await reports.finish();
}

/** Each process by the name of its file; those of the same name get numbers. */
function named(paths: readonly string[]): ProcessTrace[] {
  const used = new Map<string, number>();
  return paths.map((path) => {
    const base = basename(path).replace(/\.trk(?:\.gz)?$/, '');
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    return { path, name: count === 1 ? base : `${base} ${count}` };
  });
}
