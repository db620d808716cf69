// expect: ok
let open = 0n;
const stats = { active: 0, total: 0, bytes: 0n };

async function handle(size) {
  open++;
  stats.active++;
  stats.total += 1;
  try {
    await null;
    stats.bytes += size;
  } finally {
    stats.active--;
    open--;
  }
}

await Promise.all([handle(10n), handle(20n), handle(30n)]);
console.log(stats, open);
