// expect: violation withdraw
// expect: violation register
// expect: violation redeem
// expect: violation buy
// expect: violation chooseTheme
// expect: violation enroll
// expect: violation claim
import { MongoClient } from 'mongodb';
import { pairs } from '../support/pairs.mjs';

const client = new MongoClient(process.env.MONGO_URL, { monitorCommands: true });
const sent = [];
client.on('commandStarted', ({ commandName, command }) =>
  sent.push(`${commandName} ${Object.keys(command)}`),
);
const db = client.db(`written-back-${process.pid}`);
const names = ['accounts', 'users', 'coupons', 'products', 'courses', 'jobs'];
const [accounts, users, coupons, products, courses, jobs] = names.map((name) => db.collection(name));
await accounts.insertOne({ _id: 'ann', balance: 100, prefs: { theme: 'light' } });
await coupons.insertOne({ code: 'SPRING' });
await products.insertOne({ sku: 'tea', stock: 1 });
await courses.insertOne({ _id: 1, members: [] });
await jobs.insertOne({ _id: 1, state: 'new' });
const { met, both } = pairs();

async function withdraw(amount) {
  const account = await accounts.findOne({ _id: 'ann' });
  await met();
  await accounts.updateOne({ _id: 'ann' }, { $set: { balance: account.balance - amount } });
}

/** There is no such document yet. */
async function register() {
  const found = await users.findOne({ email: 'ann@x' });
  await met();
  if (found === null) await users.insertOne({ email: 'ann@x' });
}

/** There is no such field yet, and no `_id` in the condition. */
async function redeem(user) {
  const coupon = await coupons.findOne({ code: 'SPRING' });
  await met();
  if (coupon.usedBy === undefined) await coupons.updateOne({ code: 'SPRING' }, { $set: { usedBy: user } });
}

/** What it adds to it is right, whether it should is not. */
async function buy() {
  const [product] = await products.find({ sku: 'tea' }).toArray();
  await met();
  if (product.stock > 0) await products.updateOne({ sku: 'tea' }, { $inc: { stock: -1 } });
}

async function chooseTheme(n) {
  const account = await accounts.findOne({ _id: 'ann' });
  await met();
  await accounts.updateOne({ _id: 'ann' }, { $set: { 'prefs.theme': account.prefs.theme + n } });
}

/** A whole document is put back. */
async function enroll(member) {
  const course = await courses.findOne({ _id: 1 });
  await met();
  course.members.push(member);
  await courses.replaceOne({ _id: 1 }, course);
}

/** By what it was found, that was looked at. */
async function claim() {
  const job = await jobs.findOne({ state: 'new' });
  await met();
  if (job !== null) await jobs.updateOne({ _id: job._id }, { $set: { state: 'taken' } });
}

for (const run of [withdraw, register, redeem, buy, chooseTheme, enroll, claim]) await both(run);
console.log(sent.join('\n'));
await client.close();
