import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import { configIn } from '../config-file.ts';
import { keepStacks } from '../loader/stacks.ts';
import { AtomicityError, tell } from './failure.ts';
import { workerOptions } from './options.ts';
import { testWatch } from './watched-process.ts';

/**
 * Makes the tests of `node --test` fail in which a block was violated. The runner says nothing about a test before it
 * begins, so with tests that run at the same time it is the first to end that fails.
 */
export async function watchNodeTests(): Promise<void> {
  keepStacks();
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  const watch = testWatch(workerOptions({}, await configIn(root), root, folder));
  const warn = (text: string) => process.stderr.write(text);
  afterEach(() => tell(watch.endAll(), 'What this test ran was not atomic.', watch.options, warn));
  process.on('exit', (code) => {
    try {
      tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
    } catch (error) {
      if (!(error instanceof AtomicityError)) throw error;
      warn(`trackside: ${error.message}`);
      // A program that fails keeps its own exit code.
      if (code === 0) process.exitCode = 1;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
