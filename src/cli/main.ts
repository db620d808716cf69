#!/usr/bin/env node
import { CommanderError } from 'commander';
import { ExitCode, endWith } from './exit.ts';
import { complainAbout } from './failure.ts';
import { OutputClosed } from './output.ts';
import { buildProgram } from './program.ts';

// Node from 22.8 on can keep what it has compiled; what is loaded from here on then takes half the time.
(process.getBuiltinModule('node:module') as { enableCompileCache?: () => unknown }).enableCompileCache?.();

// The files of the command line are small for the sake of a quick start; bugs are looked for in the sources.
if (process.env.TRACKSIDE_DEBUG) process.setSourceMapsEnabled(true);

// Whoever reads our messages may leave: there is nobody to tell.
process.stderr.on('error', () => undefined);

// Without this Node itself would exit with 1, which means that violations were found.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  // The help goes to standard output past `StandardOutput`.
  if (error.code === 'EPIPE') process.exit();
  complainAbout(error);
  process.exit(ExitCode.wrong);
});

try {
  const program = await buildProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    endWith(error.exitCode === 0 ? ExitCode.ok : ExitCode.wrong);
  } else if (!(error instanceof OutputClosed)) {
    complainAbout(error);
    endWith(ExitCode.wrong);
  }
}
