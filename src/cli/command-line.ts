import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { printable } from '../trace/printable.ts';
import { ExitCode, endWith } from './exit.ts';
import { complainAbout } from './failure.ts';
import { OutputClosed } from './output.ts';
import { buildProgram } from './program.ts';
import { withoutScriptAsLabel } from './what-if-option.ts';

ignoreErrorsOfStandardError();

// Without this Node itself would exit with 1, which means that violations were found.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  // The help goes to standard output past `StandardOutput`.
  if (error.code === 'EPIPE') process.exit();
  complainAbout(error);
  process.exit(ExitCode.wrong);
});

const LONGEST_NAME = 200;

void run();

async function run(): Promise<void> {
  try {
    const [command, ...rest] = process.argv.slice(2);
    if (isCompiler(command) && rest.length > 0 && rest[0] !== '--help') {
      // Options of compilers are like none of ours.
      await (await import('./cc.ts')).runCompiler(command === 'cc' ? 'c' : 'c++', rest);
      return;
    }
    const args = withoutScriptAsLabel(process.argv.slice(2));
    const program = await buildProgram(args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownCommand') adviseAbout(process.argv[2]);
      endWith(error.exitCode === 0 ? ExitCode.ok : ExitCode.wrong);
    } else if (!(error instanceof OutputClosed)) {
      complainAbout(error);
      endWith(ExitCode.wrong);
    }
  }
}

/** Whoever names a file first has left out what is to be done with it. */
function adviseAbout(name: string): void {
  if (!existsSync(name)) return;
  const command = /\.[cm]?[jt]sx?$/.test(name) ? 'run' : 'check';
  process.stderr.write(`This is a file: trackside ${command} ${printable(name, LONGEST_NAME)}\n`);
}

function isCompiler(command: string | undefined): boolean {
  return command === 'cc' || command === 'c++';
}

/** Whoever reads our messages may leave: there is nobody to tell. Node makes the stream when it is asked for, which takes longer than many checks. */
function ignoreErrorsOfStandardError(): void {
  const made = Object.getOwnPropertyDescriptor(process, 'stderr')?.get as () => NodeJS.WriteStream;
  let isWatched = false;
  Object.defineProperty(process, 'stderr', {
    configurable: true,
    enumerable: true,
    get() {
      const stream = made.call(process);
      if (!isWatched) stream.on('error', () => undefined);
      isWatched = true;
      return stream;
    },
  });
}
