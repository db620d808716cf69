import type { Command } from 'commander';
import {
  type ConflictHandling,
  compareVersions,
  mergeReports,
  type SavedReport,
} from '../check/merged-results.ts';
import type { CheckReport } from '../check/result.ts';
import { missingShards, missingWords, shardsOf } from '../check/shard.ts';
import { json } from '../report/json.ts';
import { refuseOtherThanReporters } from '../report/names.ts';
import { PLAIN } from '../report/style.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { conflictsOption } from './options.ts';
import { openOutput, type ReportRequest, reportRequests, widthFor, writeAll } from './reports.ts';
import { readResults } from './saved-results.ts';

const EXAMPLES = `
Examples:
  trackside check traces/ --shard 1/2 --reporter json=1.json
  trackside check traces/ --shard 2/2 --reporter json=2.json
  trackside merge 1.json 2.json              what one check of all would say
  trackside merge shards/*.json -o all.json  one document, to merge or report
  trackside merge *.json --reporter sarif=results.sarif --quiet

${EXIT_CODES}`;

interface Options extends ReportingOptions {
  output?: string;
  conflicts: ConflictHandling;
}

export function addMergeCommand(program: Command): void {
  const command = program
    .command('merge')
    .summary('join results of several checks into one document')
    .description(
      'Joins results that check --reporter json or merge wrote, such as those of shards, and reports them as one. What is there twice counts once. Files, or - for standard input; .gz is read directly.',
    )
    .argument('<results.json...>', 'files, or -')
    .option('-o, --output <file>', 'write the whole document to a file, or only it to standard output for -')
    .addOption(conflictsOption());
  addReportingOptions(command).addHelpText('after', EXAMPLES).action(merge);
}

async function merge(paths: string[], options: Options): Promise<void> {
  const document = documentRequest(options);
  const saved = await readAll(paths);
  if (!options.quiet) for (const warning of warningsAbout(saved)) process.stderr.write(`${warning}\n`);
  const merged = mergeReports(saved, options.conflicts);
  const { tool, shards, results, runs } = merged;
  const parts = { shards };
  const isAlone = document?.path === null && options.reporter.length === 0;
  const reports = await CheckReports.open(tool, {
    ...options,
    run: null,
    parts,
    quiet: options.quiet || isAlone,
  });
  try {
    await reports.saved(results);
    await reports.finish({ runs });
  } finally {
    // Also when whoever reads the reports stops reading.
    if (document !== null) await writeDocument(document, merged);
  }
}

async function readAll(paths: readonly string[]): Promise<SavedReport[]> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new InputProblem("standard input can be read only once, but '-' is given more than once");
  const saved: SavedReport[] = [];
  for (const path of paths)
    saved.push({ file: path === '-' ? 'standard input' : path, report: await readResults(path) });
  return saved;
}

/** Where `--output` goes; refused where a report goes already. */
function documentRequest({ output, reporter }: Options): ReportRequest | null {
  if (output === undefined) return null;
  return reportRequests([...reporter, `json=${output}`], refuseOtherThanReporters).at(-1) ?? null;
}

/** The document as it was merged, whatever a baseline hides from the reports: it can be merged again. */
async function writeDocument(request: ReportRequest, merged: CheckReport): Promise<void> {
  const { tool, shards, results, runs, fixed } = merged;
  const report = json.start({ tool, style: PLAIN, width: widthFor(request), parts: { shards } });
  const output = await openOutput(request);
  await writeAll(output, report.trace(results));
  await writeAll(output, report.finish({ fixed, runs }));
  await output.finish();
}

/** What makes the whole less than it seems. */
function warningsAbout(saved: readonly SavedReport[]): string[] {
  const warnings = missingShards(saved.flatMap(({ report }) => shardsOf(report))).map(missingWords);
  const corpora = firstFileBy(saved, ({ report }) => shardsOf(report).map(({ corpus }) => corpus));
  if (corpora.size > 1)
    warnings.push(`these are shards of different lists of traces: ${[...corpora.values()].join(', ')}`);
  const versions = firstFileBy(saved, ({ report }) => [report.tool.version]);
  if (versions.size > 1) {
    const each = [...versions].sort(([a], [b]) => compareVersions(a, b));
    const named = each.map(([version, file]) => `${version} (${file})`);
    warnings.push(`these results are of different versions of trackside: ${named.join(', ')}`);
  }
  return warnings.map((warning) => `warning: ${printable(warning, LONGEST_WARNING)}`);
}

const LONGEST_WARNING = 1000;

/** For each value that documents have, the first file with it. */
function firstFileBy<T>(
  saved: readonly SavedReport[],
  valuesOf: (saved: SavedReport) => readonly T[],
): Map<T, string> {
  const files = new Map<T, string>();
  for (const each of saved) {
    for (const value of valuesOf(each)) if (!files.has(value)) files.set(value, each.file);
  }
  return files;
}
