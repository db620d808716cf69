// expect: note snapshot
// expect: warning width
// because: torn-snapshot
import { after, done, me, shared, start } from './lib/crew.mjs';

const point = new Int32Array(shared);

function snapshot(meanwhile) {
  const x = point[0];
  meanwhile();
  return [x, point[1]];
}

const widest = { seen: 0 };
function width(meanwhile) {
  const left = point[2];
  meanwhile();
  widest.seen = Math.max(widest.seen, point[3] - left);
}

if (me === 0) {
  await start(import.meta.url);
} else if (me === 1) {
  const seen = snapshot(() => {
    done();
    after(2);
  });
  width(() => {
    done();
    after(4);
  });
  console.log(seen, widest.seen);
} else {
  after(1);
  point[0] = 1;
  point[1] = 1;
  done();
  after(3);
  point[2] = 5;
  point[3] = 9;
  done();
}
