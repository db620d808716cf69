// expect: ok
let stopped = false;
let rounds = 0;

async function loop() {
  while (!stopped) {
    rounds++;
    await new Promise(setImmediate);
  }
}

async function stop() {
  await new Promise((resolve) => setTimeout(resolve, 3));
  stopped = true;
}

await Promise.all([loop(), stop()]);
console.log(rounds > 0);
