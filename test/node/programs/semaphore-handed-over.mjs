// expect: ok
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
