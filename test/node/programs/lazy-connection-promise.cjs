// expect: ok
let connecting = null;
let opened = 0;

function open() {
  return new Promise((resolve) => setTimeout(() => resolve({ number: ++opened }), 2));
}

async function getConnection() {
  connecting ??= open();
  return connecting;
}

async function main() {
  const [a, b] = await Promise.all([getConnection(), getConnection()]);
  console.log(a === b, opened);
}

main();
