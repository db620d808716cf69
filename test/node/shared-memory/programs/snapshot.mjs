// expect: note snapshot
import { after, done, me, shared, start } from './lib/crew.mjs';

const point = new Int32Array(shared);

function snapshot(meanwhile) {
  const x = point[0];
  meanwhile();
  return [x, point[1]];
}

if (me === 0) {
  await start(import.meta.url);
} else if (me === 1) {
  const seen = snapshot(() => {
    done();
    after(2);
  });
  console.log(seen);
} else {
  after(1);
  point[0] = 1;
  point[1] = 1;
  done();
}
