const turn = () => new Promise((resolve) => setImmediate(resolve));
// Failures are counted at once, and set back by a success.
const breaker = { failures: 0, openUntil: 0 };
const call = async (ok) => {
  await turn();
  if (!ok) throw new Error('down');
};
async function guarded(ok, now) {
  if (now < breaker.openUntil) throw new Error('open');
  try {
    await call(ok);
    breaker.failures = 0;
    return 'ok';
  } catch {
    breaker.failures++;
    if (breaker.failures > 2) breaker.openUntil = now + 10;
    return 'failed';
  }
}
module.exports = Promise.all([guarded(true, 1), guarded(false, 1), guarded(false, 1)]);
