// expect: violation withdraw
// options: --schedule provoke --seed 1
// prints: done
import { MongoClient } from 'mongodb';

const client = new MongoClient(process.env.MONGO_URL);
const accounts = client.db(`provoked-${process.pid}`).collection('accounts');
await accounts.insertOne({ _id: 'ann', balance: 100 });
// As in a server that has been running for a while: with open connections.
await Promise.all([1, 2, 3].map((id) => accounts.findOne({ _id: id })));

async function withdraw(amount) {
  const { balance } = await accounts.findOne({ _id: 'ann' });
  if (balance >= amount) await accounts.updateOne({ _id: 'ann' }, { $set: { balance: balance - amount } });
}

await Promise.all([withdraw(70), withdraw(70)]);
console.log('done');
await client.close();
