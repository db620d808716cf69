// expect: ok
// because: same-failure
const breaker = { state: 'closed', failures: 0 };

async function guarded(work) {
  if (breaker.state === 'open') throw new Error('open');
  try {
    return await work();
  } catch {
    breaker.failures++;
    breaker.state = 'open';
  }
}

await Promise.all([1, 2].map(() => guarded(async () => Promise.reject(new Error('down')))));
console.log(breaker);
