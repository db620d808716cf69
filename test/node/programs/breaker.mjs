// expect: ok
const breaker = { state: 'closed', failures: 0 };

async function guarded(work) {
  if (breaker.state === 'open') throw new Error('open');
  try {
    await work();
    breaker.state = 'closed';
  } catch {
    breaker.failures++;
  }
}

const works = [async () => {}, () => Promise.reject(new Error('down')), async () => {}];
await Promise.all(works.map(guarded));
console.log(breaker);
