import { Command, type Option } from 'commander';
import { EXIT_CODES } from './exit.ts';
import { TOOL } from './tool.ts';

type AddCommand = (program: Command) => void;

/** The commands in the order of the help. The code of one is loaded when it is asked for. */
const COMMANDS: readonly (readonly [name: string, load: () => Promise<AddCommand>])[] = [
  ['init', async () => (await import('./init.ts')).addInitCommand],
  ['run', async () => (await import('./run.ts')).addRunCommand],
  ['java', async () => (await import('./java.ts')).addJavaCommand],
  ['explore', async () => (await import('./explore.ts')).addExploreCommand],
  ['prove', async () => (await import('./prove.ts')).addProveCommand],
  ['record', async () => (await import('./record.ts')).addRecordCommand],
  ['native', async () => (await import('./native.ts')).addNativeCommand],
  ['cc', async () => (await import('./cc.ts')).addCcCommand],
  ['c++', async () => (await import('./cc.ts')).addCxxCommand],
  ['check', async () => (await import('./check.ts')).addCheckCommand],
  ['explain', async () => (await import('./explain.ts')).addExplainCommand],
  ['report', async () => (await import('./report.ts')).addReportCommand],
  ['join', async () => (await import('./join.ts')).addJoinCommand],
  ['db', async () => (await import('./db.ts')).addDbCommand],
  ['merge', async () => (await import('./merge.ts')).addMergeCommand],
  ['view', async () => (await import('./view.ts')).addViewCommand],
  ['info', async () => (await import('./info.ts')).addInfoCommand],
  ['convert', async () => (await import('./convert.ts')).addConvertCommand],
  ['refine', async () => (await import('./refine.ts')).addRefineCommand],
  ['compile', async () => (await import('./compile.ts')).addCompileCommand],
  ['generate', async () => (await import('./generate.ts')).addGenerateCommand],
  ['analyses', async () => (await import('./analyses.ts')).addAnalysesCommand],
];

const EXAMPLES = `
Examples:
  trackside init                   set up a project
  trackside run app.ts             run a program, and say what was not atomic
  trackside java -- java -jar a.jar   the same for a Java program
  trackside explore app.ts         run it in many orders, until one breaks it
  trackside prove app.ts           which violations change what it does
  trackside check run.std          explain what broke which block
  trackside explain run.std        one violation, by the smallest trace
  trackside report results.json    render what check saved as JSON
  trackside info run.std           count what is in a trace
  trackside convert run.std run.trk
  trackside check --help           all options of a command, with examples

${EXIT_CODES}`;

/**
 * The command line, as far as these arguments need it: loading every command takes longer than checking a small
 * trace. It throws a `CommanderError` where it would otherwise exit.
 */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('trackside')
    .description('Finds the interleavings that break code which was meant to be atomic.')
    .version(TOOL.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ helpWidth: 80, optionDescription: describeOption })
    .addHelpText('after', EXAMPLES)
    // What follows the script of `run` belongs to the program.
    .enablePositionalOptions()
    .exitOverride();
  const wanted = COMMANDS.filter(([name]) => name === args[0]);
  // Anything but a command, a mistyped one too, needs to know them all; only the version needs none.
  const needed = wanted.length > 0 ? wanted : args[0] === '--version' ? [] : COMMANDS;
  for (const add of await Promise.all(needed.map(([, load]) => load()))) add(program);
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
