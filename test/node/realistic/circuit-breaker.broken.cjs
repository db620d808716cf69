// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Failures are counted from what they were before the call.
const breaker = { failures: 0 };
const call = async () => {
  await turn();
  throw new Error('down');
};
async function guarded() {
  const failures = breaker.failures;
  try {
    await call();
    return 'ok';
  } catch {
    breaker.failures = failures + 1;
    return 'failed';
  }
}
module.exports = Promise.all([guarded(), guarded(), guarded()]);
