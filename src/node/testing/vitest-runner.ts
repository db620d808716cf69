import { Runner, testFunction } from 'trackside:vitest';
import { runTest } from './vitest-tests.ts';

/* Vitest calls the function of a test through this, if the plugin is there. It is the one place that knows which test. */

export default class WatchingRunner extends Runner {
  override async runTask(test: object): Promise<unknown> {
    const run = super.runTask === undefined ? testFunction(test) : () => super.runTask?.(test);
    return runTest(test, run);
  }
}
