// A shop behind HTTP: customers reserve, suppliers restock.
import { Lock } from '../locks.mjs';
import { pause, serving, traffic } from '../traffic.mjs';

const stock = { lamp: 5, chair: 3 };
const lock = new Lock();

async function reserve(article) {
  const release = await lock.acquire(); // lock: reserve
  try {
    if (stock[article] === 0) return 409;
    await pause(2); // The payment.
    stock[article]--;
    return 200;
  } finally {
    release(); // lock: reserve
  }
}

async function restock(article) {
  const release = await lock.acquire(); // lock: restock
  try {
    const before = stock[article];
    const delivered = await delivery();
    stock[article] = before + delivered;
    return 200;
  } finally {
    release(); // lock: restock
  }
}

async function delivery() {
  await pause(2);
  return 4;
}

async function handle(request, response) {
  const [, action, article] = request.url.split('/');
  response.statusCode = await (action === 'reserve' ? reserve(article) : restock(article));
  response.end();
}

await serving(handle, (post) =>
  traffic(1200, [
    () => post('/reserve/lamp'),
    () => post('/reserve/lamp'),
    () => post('/reserve/lamp'),
    () => post('/reserve/chair'),
    () => post('/reserve/chair'),
    () => post('/restock/lamp'),
    () => post('/restock/chair'),
  ]),
);
console.log('left:', stock);
