// expect: violation spend
// expect: violation raise
// prints: 2
import mongoose from 'mongoose-8';
import { pairs } from '../support/pairs.mjs';

// The server of the tests loses what is inserted while a collection is created, as mongoose would do by itself.
const options = { dbName: `mongoose-${process.pid}`, autoCreate: false, autoIndex: false };
await mongoose.connect(process.env.MONGO_URL, options);
const { Schema } = mongoose;
const Account = mongoose.model('Account', new Schema({ owner: String, balance: Number }));
const Page = mongoose.model('Page', new Schema({ text: String }, { optimisticConcurrency: true }));
const { _id } = await Account.create({ owner: 'ann', balance: 100 });
const page = await Page.create({ text: '' });
const { met, both } = pairs();

async function spend(amount) {
  const account = await Account.findById(_id);
  await met();
  account.balance -= amount;
  await account.save();
}

async function raise() {
  const account = await Account.findOne({ owner: 'ann' }).lean();
  await met();
  if (account.balance < 1000) await Account.updateOne({ owner: 'ann' }, { balance: account.balance + 10 });
}

/** `__v` has to be what it was; who comes too late tries again. */
async function edit(n) {
  for (let isFirst = true; ; isFirst = false) {
    const found = await Page.findById(page._id);
    if (isFirst) await met();
    found.text += n;
    try {
      await found.save();
      return;
    } catch (error) {
      if (error.name !== 'VersionError') throw error;
    }
  }
}

async function withdraw(amount) {
  await met();
  const enough = { owner: 'ann', balance: { $gte: amount } };
  const account = await Account.findOneAndUpdate(enough, { $inc: { balance: -amount } }, { new: true });
  return account !== null;
}

for (const run of [spend, raise, edit, withdraw]) await both(run);
console.log((await Page.findById(page._id)).text.length);
await mongoose.disconnect();
