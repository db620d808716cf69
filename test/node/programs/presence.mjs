// expect: ok
const online = new Map();

async function visit(user) {
  online.set(user, (online.get(user) ?? 0) + 1);
  try {
    await null;
  } finally {
    const left = online.get(user) - 1;
    if (left === 0) online.delete(user);
    else online.set(user, left);
  }
}

await Promise.all([visit('a'), visit('a'), visit('b')]);
console.log(online.size);
