// Wallets behind async-mutex, one mutex for each wallet.
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';

const balances = new Map([
  ['alice', 100],
  ['bob', 50],
  ['carol', 0],
]);
const mutexes = new Map([...balances.keys()].map((name) => [name, new Mutex()]));

const db = {
  async get(name) {
    await sleep(2);
    return balances.get(name);
  },
  async set(name, amount) {
    await sleep(2);
    balances.set(name, amount);
  },
};

async function deposit(name, amount) {
  const release = await mutexes.get(name).acquire(); // lock: deposit
  try {
    const balance = await db.get(name);
    await db.set(name, balance + amount);
  } finally {
    release(); // lock: deposit
  }
}

async function withdraw(name, amount) {
  const release = await mutexes.get(name).acquire(); // lock: withdraw
  try {
    const balance = await db.get(name);
    if (balance < amount) return false;
    await db.set(name, balance - amount);
    return true;
  } finally {
    release(); // lock: withdraw
  }
}

async function customer(name, start) {
  await sleep(start);
  await deposit(name, 20);
  await sleep(30);
  await withdraw(name, 10);
}

await Promise.all([
  customer('alice', 10),
  customer('alice', 60),
  customer('bob', 100),
  customer('bob', 160),
  customer('carol', 220),
  customer('alice', 300),
]);
console.log('wallets:', [...balances.keys()].join(' '));
