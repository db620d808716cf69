// expect: ok
// What is counted here are the program's own calls.
const { test } = RegExp.prototype;
let calls = 0;
RegExp.prototype.test = function (text) {
  calls++;
  return Reflect.apply(test, this, [text]);
};

const hosts = new Map();
async function isLocal(name) {
  if (!hosts.has(name)) hosts.set(name, /^local/.test(name));
  await null;
  return hosts.get(name);
}

const local = await Promise.all([isLocal('localhost'), isLocal('example.org'), isLocal('localhost')]);
await new Promise((resolve) => setImmediate(resolve));
console.log(local, calls);
