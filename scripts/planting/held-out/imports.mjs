// Rows of a stream are imported by a few at a time; totals and an index are shared.
import { Readable } from 'node:stream';
import { Sema } from 'async-sema';

const rows = async function* () {
  for (let i = 1; i <= 12; i++) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    yield `${i};customer${i % 3};${i * 10}`;
  }
};

const totals = new Map();
const index = [];
const one = new Sema(1);

const exchangeRate = () => new Promise((resolve) => setTimeout(resolve, 4, 2));

async function addToTotal(customer, amount) {
  await one.acquire(); // lock: total
  try {
    const before = totals.get(customer) ?? 0;
    const rate = await exchangeRate();
    totals.set(customer, before + amount * rate);
  } finally {
    one.release(); // lock: total
  }
}

async function addToIndex(id, customer) {
  await one.acquire(); // lock: index
  try {
    const last = index.length;
    await exchangeRate();
    index[last] = { id, customer };
  } finally {
    one.release(); // lock: index
  }
}

async function importRow(line) {
  const [id, customer, amount] = line.split(';');
  await addToTotal(customer, Number(amount));
  await addToIndex(Number(id), customer);
}

const running = [];
for await (const line of Readable.from(rows())) running.push(importRow(line));
await Promise.all(running);
console.log('customers', totals.size);
