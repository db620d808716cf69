import type { Command } from 'commander';
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
      'Renders results that check --reporter json or merge wrote: a file, or - for standard input; .gz is read directly.',
    )
    .argument('<results.json>', 'a file, or -');
  addReportingOptions(command).addHelpText('after', EXAMPLES).action(report);
}

async function report(path: string, options: ReportingOptions): Promise<void> {
  const { tool, run = null, shard, shards, results, runs } = await readResults(path);
  const reports = await CheckReports.open(tool, { ...options, run, parts: { shard, shards } });
  await reports.saved(results);
  await reports.finish({ runs });
}
