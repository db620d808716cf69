import { setTimeout as sleep } from 'node:timers/promises';
import Keyv from 'keyv';

const keyv = new Keyv({ namespace: 'n' });
const other = new Keyv();
keyv.on('error', (error) => console.log(error.message));
await Promise.all(['a', 'b', 'c', 'd'].map((key, i) => keyv.set(key, { i }, i === 3 ? 2 : 1000)));
await sleep(8);
console.log(await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => keyv.get(key))));
console.log(await keyv.get(['a', 'b']), await keyv.has('d'), await keyv.deleteMany(['a', 'zz']));
await Promise.all([keyv.delete('b'), other.set('b', 1), other.get('b')]);
for await (const [key, value] of keyv.iterator()) console.log(key, value);
await keyv.clear();
console.log(await keyv.get('c'), await other.get('b'));
