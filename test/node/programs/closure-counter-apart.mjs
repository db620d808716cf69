// expect: ok
function counter() {
  let count = 0;
  const next = async () => {
    const now = count;
    await null;
    count = now + 1;
    return now;
  };
  return { next, get: () => count };
}

const [a, b] = [counter(), counter()];
console.log(await Promise.all([a.next(), b.next()]), a.get(), b.get());
