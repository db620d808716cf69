import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // All processors: Vitest leaves one out, which is half of two.
    maxWorkers: availableParallelism(),
    // What the command line keeps between runs stays out of the user's own folders.
    env: { XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)) },
  },
});
