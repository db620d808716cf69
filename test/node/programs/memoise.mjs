// expect: ok
function memoise(compute) {
  const known = new Map();
  return async (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    try {
      return await known.get(key);
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };
}

let calls = 0;
const square = memoise(async (n) => {
  calls++;
  await null;
  if (n < 0) throw new RangeError(`${n} is negative`);
  return n * n;
});

console.log(await Promise.allSettled([square(3), square(3), square(-1), square(4)]), calls);
