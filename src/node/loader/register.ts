import { isMainThread } from 'node:worker_threads';
import { loadSchedule } from '../schedule/load.ts';
import { isForTests, isTestRunner } from '../testing/node-test-process.ts';
import { withoutOurs } from './hiding.ts';
import { startInstrumenting } from './instrumenting.ts';
import { LazyTransformer } from './lazy-transformer.ts';
import { startProgram } from './program.ts';
import { takeProgramOptions } from './program-options.ts';
import { reportAtExit, standaloneOptions } from './standalone.ts';

/*
 * `node --import trackside/register app.js`: loaded before the program's first line, in the program's process. Also
 * what `trackside run` and `trackside record` start a program with.
 */
const given = isMainThread ? takeProgramOptions() : null;
// A worker that is followed gets its hooks by other means.
if (!isMainThread) {
  process.execArgv = withoutOurs(process.execArgv);
} else if (given === null && isForTests()) {
  const { watchNodeTests } = await import('../testing/node-test.ts');
  await watchNodeTests();
} else if (given !== null || !isTestRunner()) {
  const options = given ?? standaloneOptions();
  const transformer = new LazyTransformer(options);
  const schedule = options.schedule && (await loadSchedule(options.schedule));
  // First, as a thread for the hooks gets ready while the rest is done.
  startInstrumenting(transformer, options);
  startProgram(options, transformer, schedule);
  if (given === null) reportAtExit(options);
}
