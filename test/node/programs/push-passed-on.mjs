// expect: ok
const idle = [{ id: 1 }, { id: 2 }];
const release = (connection) => idle.push(connection);

async function acquire() {
  while (idle.length === 0) await new Promise(setImmediate);
  return idle.pop();
}

async function query(text) {
  const connection = await acquire();
  await new Promise(setImmediate);
  release(connection);
  return text;
}

console.log(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(query)), idle.length);
