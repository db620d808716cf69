// expect: ok
function limit(count) {
  let active = 0;
  const waiting = [];
  const next = () => {
    active--;
    waiting.shift()?.();
  };
  return async (work) => {
    if (active >= count) await new Promise((resolve) => waiting.push(resolve));
    active++;
    try {
      return await work();
    } finally {
      next();
    }
  };
}

const limited = limit(2);
console.log(
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      limited(async () => {
        await new Promise(setImmediate);
        return n * 2;
      }),
    ),
  ),
);
