// expect: violation counter.next
function counter() {
  let count = 0;
  const next = async () => {
    const now = count; // (1)
    await null;
    count = now + 1; // (2)
    return now;
  };
  return { next, get: () => count };
}

const tickets = counter();
console.log(await Promise.all([tickets.next(), tickets.next()]), tickets.get());
