// expect: violation touch
const VERSION = Symbol('version');
const key = (name) => `key:${name}`;
const record = { [VERSION]: 0, [key('a')]: 1 };

async function touch() {
  const version = record[VERSION]; // (1)
  await null;
  record[VERSION] = version + 1; // (2)
  record[key('a')] = 2;
}

await Promise.all([touch(), touch()]);
console.log(record);
