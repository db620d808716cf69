// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const counts = new Int32Array(shared);

function count(meanwhile) {
  Atomics.add(counts, 0, 1);
  meanwhile();
  Atomics.add(counts, 1, 1);
  Atomics.sub(counts, 0, 1);
}

if (me === 0) {
  await start(import.meta.url);
  console.log(counts[0], counts[1]);
} else if (me === 1) {
  count(() => {
    done();
    after(2);
  });
} else {
  after(1);
  count(() => {});
  done();
}
