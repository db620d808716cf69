// Reading an expired key starts a delete that nobody awaits; a set in between is deleted with it.
import { setTimeout as sleep } from 'node:timers/promises';

const Keyv = (await import(`keyv-${process.argv[2]}`)).default;
class SlowDelete extends Map {
  async get(k) {
    return super.get(k);
  }
  async set(k, v) {
    super.set(k, v);
  }
  async delete(k) {
    await sleep(3);
    return super.delete(k);
  }
  async clear() {}
}
const keyv = new Keyv({ store: new SlowDelete() });
await keyv.set('foo', 'old', 5);
await sleep(10);
await keyv.get('foo');
await keyv.set('foo', 'fresh', 1000);
await sleep(10);
console.log(`foo is ${await keyv.get('foo')}`);
