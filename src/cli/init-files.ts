/* What `trackside init` writes. */

export function configText(): string {
  return `import { defineConfig } from 'trackside';

export default defineConfig({
  // Packages to watch besides the project's own files.
  instrument: [],
  // 'warning' to fail for warnings as well.
  failOn: 'error',
  // Violations that are known; write it with: trackside run --baseline trackside-baseline.json --update-baseline <program>
  // baseline: 'trackside-baseline.json',
});
`;
}

export function scriptText(entry: string): string {
  return `trackside run ${/^[\w./-]+$/.test(entry) ? entry : JSON.stringify(entry)}`;
}

/** The action is part of the package, so that there is no address to trust and its version is that of the package. */
export function workflowText(entry: string | null): string {
  return `name: Trackside
on: [push, pull_request]
permissions:
  contents: read
  security-events: write # for code scanning
jobs:
  atomicity:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: lts/*
          cache: npm
      - run: npm ci
      - uses: ./node_modules/trackside
        with:
          program: ${entry ?? '<the program to run>'}
`;
}

/** What to add for a test runner, by the name of its package. */
export const RUNNER_STEPS: readonly { name: string; lines: readonly string[] }[] = [
  {
    name: 'vitest',
    lines: [
      '  // vitest.config.ts',
      "  import { trackside } from 'trackside/vitest';",
      '  export default defineConfig({ plugins: [trackside()] });',
    ],
  },
  {
    name: 'jest',
    lines: [
      '  // jest.config.mjs',
      "  import { withTrackside } from 'trackside/jest';",
      '  export default () => withTrackside({ /* the configuration as it was */ });',
    ],
  },
];
