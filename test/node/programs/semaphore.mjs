// expect: violation limit.<anonymous>
function limit(count) {
  let active = 0;
  const waiting = [];
  const next = () => {
    active--;
    waiting.shift()?.();
  };
  return async (work) => {
    // Whoever comes between the wake-up and the count takes a place that was promised.
    // (1)
    if (active >= count) await new Promise((resolve) => waiting.push(resolve));
    active++; // (2)
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
