// expect: violation tick
globalThis.ticks = 0;

async function tick() {
  const now = globalThis.ticks; // (1)
  await undefined;
  globalThis.ticks = now + 1; // (2)
}

Promise.all([tick(), tick()]).then(() => console.log(globalThis.ticks));
