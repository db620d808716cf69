/*
 * Stands for the library that sends all that is asked for in one tick in a callback of the first who asked, each in a transaction of its
 * own: programs run it without its being instrumented.
 */

let waiting = [];

async function send({ client, text, values }) {
  await null;
  return client.query(text, values);
}

/** Sends a statement through a connection, together with others. */
async function query(client, text, values) {
  await null;
  return new Promise((resolve, reject) => {
    waiting.push({ client, text, values, resolve, reject });
    if (waiting.length > 1) return;
    process.nextTick(() => {
      const all = waiting;
      waiting = [];
      for (const each of all) send(each).then(each.resolve, each.reject);
    });
  });
}

export async function transaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work((text, values) => query(client, text, values));
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}
