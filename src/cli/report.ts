import type { Command } from 'commander';
import type { AnalysisResult } from '../check/result.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { readResults } from './saved-results.ts';

const EXAMPLES = `
Examples:
  trackside report results.json                     explain saved results
  trackside report results.json --reporter sarif=results.sarif
  trackside report results.json --reporter dot | dot -Tsvg -O
  trackside report new.json --baseline old.json     what is new, and what is gone

${EXIT_CODES}`;

export function addReportCommand(program: Command): void {
  const command = program
    .command('report')
    .summary('render results that check saved as JSON')
    .description(
      'Renders results that check --reporter json wrote: a file, or - for standard input; .gz is read directly.',
    )
    .argument('<results.json>', 'a file, or -');
  addReportingOptions(command).addHelpText('after', EXAMPLES).action(report);
}

async function report(path: string, options: ReportingOptions): Promise<void> {
  const saved = await readResults(path);
  const reports = await CheckReports.open(saved.tool, options);
  for (const results of byTrace(saved.results)) await reports.trace(results);
  await reports.finish();
}

/** Results of one trace follow each other; an analysis that comes again is of the next, even of the same name. */
function byTrace(results: readonly AnalysisResult[]): AnalysisResult[][] {
  const traces: AnalysisResult[][] = [];
  for (const result of results) {
    const last = traces.at(-1);
    const belongs =
      last?.[0].trace === result.trace && last.every(({ analysis }) => analysis !== result.analysis);
    if (last !== undefined && belongs) last.push(result);
    else traces.push([result]);
  }
  return traces;
}
