import type { Command } from 'commander';
import { type InspectionResult, inspectTrace } from '../check/inspect.ts';
import { listTraces } from '../formats/inputs.ts';
import { infoJson, infoText } from '../report/info.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { ExitCode, endWith } from './exit.ts';
import { complain } from './failure.ts';
import { formatOption, lenientOption, noColorOption, quietOption } from './options.ts';
import { Progress } from './progress.ts';
import {
  openOutput,
  reporterOption,
  reportRequests,
  styleFor,
  widthFor,
  withoutQuieted,
  writeAll,
} from './reports.ts';
import { TOOL } from './tool.ts';

const REPORTERS = ['text', 'json'];

const EXAMPLES = `
Examples:
  trackside info run.std                   how many events, threads, locks, ...
  trackside info traces/ --reporter json   a folder, for programs to read

Exit codes:
  0  the traces are well-formed
  2  the command or its input was wrong
`;

interface Options {
  format: string;
  lenient: boolean;
  reporter: string[];
  quiet: boolean;
  color: boolean;
}

export function addInfoCommand(program: Command): void {
  program
    .command('info')
    .summary('count what is in traces')
    .description('Counts what is in traces, as they were logged, and checks that they are well-formed.')
    .argument('<trace...>', 'files, folders, or - for standard input')
    .addOption(formatOption())
    .addOption(lenientOption())
    .addOption(reporterOption(REPORTERS))
    .addOption(quietOption())
    .addOption(noColorOption())
    .addHelpText('after', EXAMPLES)
    .action(info);
}

async function info(paths: string[], options: Options): Promise<void> {
  const requests = reportRequests(options.reporter, (name) => {
    if (!REPORTERS.includes(name)) throw unknownName('reporter of info', name, REPORTERS);
  });
  const progress = new Progress(process.stderr, options);
  const traces: InspectionResult[] = [];
  for (const input of await listTraces(paths, options.format)) {
    progress.start(input.path);
    const { result, problem } = await inspectTrace(input, {
      ...options,
      onProgress: (events, reader) => progress.update(events, reader.progress),
    });
    progress.clear();
    traces.push(result);
    if (problem === null) continue;
    complain(problem);
    endWith(ExitCode.wrong);
  }
  const report = { tool: TOOL, traces };
  for (const request of withoutQuieted(requests, options.quiet)) {
    const output = await openOutput(request);
    const pieces =
      request.name === 'json'
        ? infoJson(report)
        : infoText(report, styleFor(request, options.color), widthFor(request));
    await writeAll(output, pieces);
    await output.finish();
  }
}
