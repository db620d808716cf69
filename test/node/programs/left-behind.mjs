// expect: ok
const turn = () => new Promise((resolve) => setImmediate(resolve));
const client = { connections: 0 };

async function connect() {
  setImmediate(() => {
    if (client.connections > 0) return;
    setImmediate(() => {
      client.connections = 0;
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
