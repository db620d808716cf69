import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A test that hangs is to fail; one that is slow because the machine is busy is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // All processors: Vitest leaves one out, which is half of two.
    maxWorkers: availableParallelism(),
    // Tests that run at the same time each have a process of their own.
    maxConcurrency: availableParallelism(),
    // What the command line keeps between runs stays out of the user's own folders.
    env: { XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)) },
  },
});
