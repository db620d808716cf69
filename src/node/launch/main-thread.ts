import { type ImportModule, installHooks } from '../loader/install.ts';
import { LazyTransformer } from '../loader/lazy-transformer.ts';
import { takeProgramOptions } from '../loader/program-options.ts';
import { loadSchedule } from '../schedule/load.ts';
import { isTestRunner } from '../testing/node-test-process.ts';
import { startProgram } from './program.ts';
import { reportAtExit, standaloneOptions } from './standalone.ts';

/** What is done in a program before its first line; `keep` is called when it ends. */
export function startMainThread(keep: () => void, importModule: ImportModule): void {
  const given = takeProgramOptions();
  if (given === null && isTestRunner()) return;
  const options = given ?? standaloneOptions();
  const transformer = new LazyTransformer(options);
  // First, as a thread for the hooks gets ready while the rest is done.
  const commonJs = options.format === 'commonjs' ? options.entry : null;
  installHooks(transformer, { given: { options, isWorker: false }, commonJs, importModule });
  startProgram(options, transformer, loadSchedule(options.schedule));
  if (given === null) reportAtExit(options);
  process.on('exit', keep);
}
