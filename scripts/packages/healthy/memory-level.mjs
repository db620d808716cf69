import { MemoryLevel } from 'memory-level';

const db = new MemoryLevel({ valueEncoding: 'json' });
console.log(db.status);
await Promise.all([1, 2, 3].map((n) => db.put(`k${n}`, { n })));
console.log(await db.getMany(['k1', 'k3', 'zz']));
await db.batch([
  { type: 'del', key: 'k1' },
  { type: 'put', key: 'k4', value: 4 },
]);
for await (const [key, value] of db.iterator({ reverse: true })) console.log(key, value);
const sub = db.sublevel('s');
await Promise.all([sub.put('x', '1'), sub.get('x').catch((e) => e.code), db.clear({ gte: 'k4' })]);
console.log(await sub.get('x'), (await db.keys().all()).length);
await db.close();
