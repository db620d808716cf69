// expect: ok
let total = 0;
const tasks = [3, 4, 5].map((n) => async () => {
  const before = total;
  await null;
  total = before + n;
});

for (const task of tasks) await task();
await tasks.reduce((done, task) => done.then(task), Promise.resolve());
console.log(total);
