// expect: ok
const free = [{ id: 0 }, { id: 1 }];
let made = 2;

async function withConnection(work) {
  const connection = free.pop() ?? { id: made++ };
  try {
    return await work(connection);
  } finally {
    free.push(connection);
  }
}

const ids = await Promise.all(
  [1, 2, 3].map(() =>
    withConnection(async (connection) => {
      connection.uses = (connection.uses ?? 0) + 1;
      await null;
      connection.uses++;
      return connection.id;
    }),
  ),
);
console.log(ids, free.length);
