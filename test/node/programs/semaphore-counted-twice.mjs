// expect: violation limit.<anonymous>
function limit(count) {
  let active = 0;
  const waiting = [];
  const release = () => {
    // The place is given away and counted as free as well.
    active--;
    waiting.shift()?.();
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
