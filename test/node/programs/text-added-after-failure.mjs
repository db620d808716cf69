// expect: violation guarded
// not because: same-failure
const health = { problems: '' };

async function guarded(work) {
  const before = health.problems; // (1)
  try {
    return await work();
  } catch (error) {
    health.problems = `${before} ${error.message}`; // (2)
  }
}

await Promise.all([1, 2].map(() => guarded(async () => Promise.reject(new Error('down')))));
console.log(health);
