// expect: violation scoped
let depth = 0;

async function scoped(work) {
  const before = depth; // (1)
  try {
    await work();
  } finally {
    depth = before + 1; // (2)
  }
}

const outcomes = await Promise.allSettled([
  scoped(() => Promise.reject(new Error('a'))),
  scoped(() => Promise.resolve('b')),
]);
console.log(
  outcomes.map(({ status }) => status),
  depth,
);
