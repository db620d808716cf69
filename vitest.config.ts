import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that may change the built-in functions of the thread they run in. */
const APART = ['test/node/**/*.test.ts', 'test/stores/**/*.test.ts'];

export default defineConfig({
  test: {
    // A test that hangs is to fail; one that is slow because the machine is busy is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // All processors: Vitest leaves one out, which is half of two.
    maxWorkers: availableParallelism(),
    // Tests that run at the same time each have a process of their own.
    maxConcurrency: availableParallelism(),
    env: {
      // What the command line keeps between runs stays out of the user's own folders.
      XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)),
      // Node 20 reads these certificates whenever it starts, which takes longer than all else that it does then.
      NODE_EXTRA_CA_CERTS: '',
      TRACKSIDE_TEST_CERTIFICATES: process.env.NODE_EXTRA_CA_CERTS ?? '',
    },
    projects: [
      { extends: true, test: { name: 'apart', include: APART } },
      // The rest loads our modules once in each process, and not for each file.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...APART, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
});
