// expect: violation session
// A connection is accepted between the look and the reset that a timer left behind does; the block around it is still open.
const turn = () => new Promise((resolve) => setImmediate(resolve));
const client = { connections: 0 };

async function connect() {
  setImmediate(() => {
    if (client.connections > 0) return; // (1)
    setImmediate(() => {
      client.connections = 0; // (2)
    });
  });
  await turn();
}

async function session() {
  await connect();
  await turn();
  await turn();
}

async function accept() {
  await turn();
  client.connections = 1;
}

await Promise.all([session(), accept()]);
console.log(client);
