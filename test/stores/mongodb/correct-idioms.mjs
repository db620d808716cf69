// expect: ok
// expect: warning register
// because: caught-by-constraint
import { MongoClient } from 'mongodb';
import { pairs } from '../support/pairs.mjs';

const client = new MongoClient(process.env.MONGO_URL);
const db = client.db(`correct-${process.pid}`);
const [accounts, users, counters, products, jobs] = ['accounts', 'users', 'counters', 'products', 'jobs'].map(
  (name) => db.collection(name),
);
await accounts.insertOne({
  _id: 'ann',
  balance: 100,
  views: 0,
  version: 0,
  tags: [],
  prefs: { theme: 'light', lang: 'en' },
});
await products.insertOne({ sku: 'tea', stock: 1 });
await jobs.insertMany([{ status: 'new' }, { status: 'new' }]);
await users.createIndex({ email: 1 }, { unique: true });
const { met, both } = pairs();

async function guarded(amount) {
  const account = await accounts.findOne({ _id: 'ann' });
  if (account.balance < 60) return false;
  await met();
  const enough = { _id: 'ann', balance: { $gte: 60 } };
  return (
    (await accounts.updateOne(enough, { $inc: { balance: -60 }, $set: { last: amount } })).matchedCount === 1
  );
}

async function versioned(n) {
  for (let isFirst = true; ; isFirst = false) {
    const { version, note = '' } = await accounts.findOne({ _id: 'ann' });
    if (isFirst) await met();
    const change = { $set: { note: note + n }, $inc: { version: 1 } };
    if ((await accounts.updateOne({ _id: 'ann', version }, change)).matchedCount === 1) return;
  }
}

async function viewed() {
  const account = await accounts.findOne({ _id: 'ann' });
  await met();
  await accounts.updateOne({ _id: 'ann' }, { $inc: { views: 1 } });
  return account.balance;
}

/** Fields of a field are told apart. */
async function otherFields(n) {
  const { prefs } = await accounts.findOne({ _id: 'ann' });
  await met();
  const name = n === 1 ? 'theme' : 'lang';
  await accounts.updateOne({ _id: 'ann' }, { $set: { [`prefs.${name}`]: `${prefs[name]}${n}` } });
}

async function counted() {
  await met();
  await counters.updateOne({ _id: 'hits' }, { $inc: { n: 1 } }, { upsert: true });
}

async function taken(n) {
  await met();
  const job = await jobs.findOneAndUpdate({ status: 'new' }, { $set: { status: 'taken', by: n } });
  await met();
  await jobs.updateOne({ _id: job._id }, { $set: { status: 'done' } });
}

async function bought() {
  const product = await products.findOne({ sku: 'tea' });
  if (product === null) return null;
  await met();
  const left = await products.findOneAndUpdate({ sku: 'tea', stock: { $gt: 0 } }, { $inc: { stock: -1 } });
  return left !== null;
}

async function tagged() {
  const account = await accounts.findOne({ _id: 'ann' });
  await met();
  if (!account.tags.includes('vip')) await accounts.updateOne({ _id: 'ann' }, { $addToSet: { tags: 'vip' } });
}

/** The index has caught the second one. */
async function register() {
  const found = await users.findOne({ email: 'ann@x' });
  await met();
  if (found !== null) return false;
  try {
    await users.insertOne({ email: 'ann@x' });
    return true;
  } catch (error) {
    if (error.code !== 11000) throw error;
    return false;
  }
}

for (const run of [guarded, versioned, viewed, otherFields, counted, taken, bought, tagged, register])
  console.log(run.name, (await both(run)).sort().join());
await client.close();
