// expect: violation add
// expect: violation swap
// What a thread has written itself just before the block began is no reason to trust it.
import { after, done, me, shared, start } from './lib/crew.mjs';

const buffer = Buffer.from(shared, 8, 8);
const pair = new Int32Array(shared, 24, 2);

function add(amount, meanwhile) {
  const before = buffer.readUInt32LE(4);
  meanwhile();
  buffer.writeUInt32LE(before + amount, 4);
}

function swap(meanwhile) {
  const [left, right] = pair;
  meanwhile();
  pair.set([right, left]);
}

if (me === 0) {
  pair[0] = 1;
  await start(import.meta.url);
  console.log(buffer.readUInt32LE(4), pair[0], pair[1]);
} else if (me === 1) {
  add(5, () => {});
  add(5, () => {
    swap(() => {
      done();
      after(2);
    });
  });
} else {
  after(1);
  buffer.writeUInt32LE(7, 4);
  pair[0] = 3;
  done();
}
