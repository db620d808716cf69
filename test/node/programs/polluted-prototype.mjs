// expect: violation count
// What is put on Object.prototype is in every description of a property, too.
Object.prototype.get = 1;
Object.prototype.set = 2;
const state = { n: 0 };

async function count() {
  const n = state.n; // (1)
  await null;
  state.n = n + 1; // (2)
}

await Promise.all([count(), count()]);
console.log(state.n);
