/** Modules of the project's sources import this from the plugin, whatever the version of Vitest. */
export const VITEST_MODULE = 'trackside:vitest';

/**
 * The text of that module. The class of the runner, and the function that a test was given, have been exported by `vitest`
 * itself since 4.1; before that by two modules which Vitest 5 does not have.
 */
export function vitestModule(version: string, ownRunner: string | undefined): string {
  const [major, minor] = version.split('.').map(Number);
  const isNew = major > 4 || (major === 4 && minor >= 1);
  const runner =
    ownRunner !== undefined
      ? `export { default as Runner } from ${JSON.stringify(ownRunner)};`
      : isNew
        ? `export { TestRunner as Runner } from 'vitest';`
        : `export { VitestTestRunner as Runner } from 'vitest/runners';`;
  const testFunction = isNew
    ? `import { TestRunner } from 'vitest';\nexport const testFunction = (test) => TestRunner.getTestFn(test);`
    : `export { getFn as testFunction } from 'vitest/suite';`;
  return `${runner}\n${testFunction}\n`;
}
