// expect: violation refresh
const config = { value: 'old', reads: 0 };
const turn = () => new Promise(setImmediate);

async function refresh(turns, value) {
  const { reads } = config; // (1)
  for (let i = 0; i < turns; i++) await turn();
  config.value = value;
  config.reads = reads + 1; // (2)
}

const slow = refresh(9, 'slow');
await Promise.race([slow, turn()]);
await refresh(1, 'fast');
await slow;
console.log(config);
