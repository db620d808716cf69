import type { Command } from 'commander';
import { ANALYSES } from '../analyses/registry.ts';
import { analysisListJson, analysisListText } from '../report/analysis-list.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { noColorOption } from './options.ts';
import { openOutput, reporterOption, reportRequests, styleFor, widthFor, writeAll } from './reports.ts';
import { TOOL } from './tool.ts';

const REPORTERS = ['text', 'json'];

const EXAMPLES = `
Examples:
  trackside analyses                     what there is, and what each promises
  trackside analyses --reporter json     the same, for programs to read
  trackside check run.std --analysis velodrome,regiontrack
`;

interface Options {
  reporter: string[];
  color: boolean;
}

export function addAnalysesCommand(program: Command): void {
  program
    .command('analyses')
    .summary('list the analyses, with what each promises')
    .description('Lists the analyses, with what each promises and where it comes from.')
    .addOption(reporterOption(REPORTERS))
    .addOption(noColorOption())
    .addHelpText('after', EXAMPLES)
    .action(analyses);
}

async function analyses(options: Options): Promise<void> {
  const requests = reportRequests(options.reporter, (name) => {
    if (!REPORTERS.includes(name)) throw unknownName('reporter of analyses', name, REPORTERS);
  });
  for (const request of requests) {
    const output = await openOutput(request);
    const pieces =
      request.name === 'json'
        ? analysisListJson(ANALYSES, TOOL)
        : analysisListText(ANALYSES, styleFor(request, options.color), widthFor(request));
    await writeAll(output, pieces);
    await output.finish();
  }
}
