// expect: ok
// skip: who waits for a place reads the count, and counts down when its turn is over; that it was given the place of
// skip: the one who changed the count meanwhile is not seen, as promises order nothing but forks and joins
function limit(count) {
  let active = 0;
  const waiting = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) active--;
    else next();
  };
  return async (work) => {
    if (active < count) active++;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      release();
    }
  };
}

const limited = limit(2);
const work = async (n) => {
  await new Promise(setImmediate);
  return n * 2;
};
console.log(await Promise.all([1, 2, 3, 4, 5].map((n) => limited(() => work(n)))));
