// options: --atomic report
// expect: violation report
import { after, done, me, shared, start } from './lib/crew.mjs';

const cells = new Int32Array(shared);

const read = (at) => cells[at];
const write = (at, value) => {
  cells[at] = value;
};

// Touches nothing itself.
function report(meanwhile) {
  const before = read(0);
  meanwhile();
  write(0, before + 1);
}

if (me === 0) {
  await start(import.meta.url);
  console.log(cells[0]);
} else if (me === 1) {
  report(() => {
    done();
    after(2);
  });
} else {
  after(1);
  report(() => {});
  done();
}
