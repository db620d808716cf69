// expect: violation getConnection
let connection = null;
let opened = 0;

function open() {
  return new Promise((resolve) => setTimeout(() => resolve({ number: ++opened }), 2));
}

async function getConnection() {
  // The check
  if (connection === null) connection = await open(); // (1) (2)
  return connection;
}

async function main() {
  const [a, b] = await Promise.all([getConnection(), getConnection()]);
  console.log(a === b, opened);
}

main();
