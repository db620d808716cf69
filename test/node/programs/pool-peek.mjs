// expect: violation checkout
const free = ['c1', 'c2'];

async function ping(connection) {
  await connection;
}

async function checkout() {
  const connection = free[0];
  await ping(connection);
  free.shift();
  return connection;
}

console.log(await Promise.all([checkout(), checkout()]));
