// expect: ok
let active = 0;
let peak = 0;

async function handle() {
  active++;
  if (active > peak) peak = active;
  await new Promise(setImmediate);
  active--;
}

await Promise.all([handle(), handle(), handle()]);
console.log(active, peak);
