// expect: ok
const mirror = (name, turns) => async () => {
  for (let i = 0; i < turns; i++) await null;
  if (name === 'broken') throw new Error('down');
  return name;
};

const tried = [];

async function first(mirrors) {
  return Promise.any(
    mirrors.map(async (load) => {
      const name = await load();
      tried.push(name);
      return name;
    }),
  );
}

console.log(await first([mirror('slow', 9), mirror('broken', 1), mirror('fast', 2)]));
console.log(await Promise.race([mirror('a', 1)(), mirror('b', 5)()]));
for (let i = 0; i < 12; i++) await null;
console.log(tried);
