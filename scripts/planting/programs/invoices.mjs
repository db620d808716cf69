// Numbers of invoices, without gaps, kept in a file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Lock } from '../locks.mjs';
import { temporaryFolder, traffic } from '../traffic.mjs';

const file = join(temporaryFolder(), 'last-invoice');
const lock = new Lock();
const invoices = [];

async function nextNumber() {
  const release = await lock.acquire(); // lock: number
  try {
    const last = Number(await readFile(file, 'utf8'));
    await writeFile(file, String(last + 1));
    return last + 1;
  } finally {
    release(); // lock: number
  }
}

async function invoice(customer) {
  const number = await nextNumber();
  invoices.push(`${number} ${customer}`);
}

await writeFile(file, '1000');
await traffic(
  1200,
  ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gil'].map((customer) => () => invoice(customer)),
);
console.log(invoices.length, 'invoices, the last number is', await readFile(file, 'utf8'));
