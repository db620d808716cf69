import { Command, type Option } from 'commander';
import { addAnalysesCommand } from './analyses.ts';
import { addCheckCommand } from './check.ts';
import { addConvertCommand } from './convert.ts';
import { EXIT_CODES } from './exit.ts';
import { addGenerateCommand } from './generate.ts';
import { addInfoCommand } from './info.ts';
import { addRefineCommand } from './refine.ts';
import { addReportCommand } from './report.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside check run.std          explain what broke which block
  trackside report results.json    render what check saved as JSON
  trackside info run.std           count what is in a trace
  trackside convert run.std run.trk
  trackside check --help           all options of a command, with examples

${EXIT_CODES}`;

/** The whole command line. It throws a `CommanderError` where it would otherwise exit. */
export function buildProgram(): Command {
  const program = new Command('trackside')
    .description('Finds the interleavings that break code which was meant to be atomic.')
    .version(TOOL.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ helpWidth: 80, optionDescription: describeOption })
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  addCheckCommand(program);
  addReportCommand(program);
  addInfoCommand(program);
  addConvertCommand(program);
  addRefineCommand(program);
  addGenerateCommand(program);
  addAnalysesCommand(program);
  for (const command of program.commands) {
    command.helpOption('-h, --help', 'print this help').exitOverride();
    command.showHelpAfterError(`See trackside ${command.name()} --help.`);
  }
  return program.showHelpAfterError('See trackside --help.');
}

/** Of defaults only words are worth a mention: what is off or empty goes without saying. */
function describeOption({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string' ? `${description} (default: ${defaultValue})` : description;
}
