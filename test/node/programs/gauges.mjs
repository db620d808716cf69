// expect: ok
const stats = { active: 0, total: 0, bytes: 0 };

async function handle(size) {
  stats.active++;
  stats.total += 1;
  try {
    await null;
    stats.bytes += size;
  } finally {
    stats.active--;
  }
}

await Promise.all([handle(10), handle(20), handle(30)]);
console.log(stats);
