/* Apart from what watches tests, so that other programs need not load that. */

/** Whether this process only starts others, one for each test file. */
export function isTestRunner(): boolean {
  const { execArgv } = process;
  return (
    execArgv.includes('--test') &&
    !execArgv.some((arg) => /^--(?:experimental-)?test-isolation=none$/.test(arg))
  );
}

/** Whether this process is for the tests of a file, or of all files. */
export function isForTests(): boolean {
  return (
    process.env.NODE_TEST_CONTEXT !== undefined || (process.execArgv.includes('--test') && !isTestRunner())
  );
}
