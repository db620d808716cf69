// expect: violation rotate
import { after, done, me, shared, start } from './lib/crew.mjs';

const cells = new Int32Array(shared, 0, 4);

function rotate(meanwhile) {
  const first = cells[0];
  const others = cells.slice(1); // (1)
  meanwhile();
  cells.set([...others, first]); // (2)
  return cells[0];
}

if (me === 0) {
  cells.set([1, 2, 3, 4]);
  await start(import.meta.url);
  console.log(cells);
} else if (me === 1) {
  rotate(() => {
    done();
    after(2);
  });
} else {
  after(1);
  cells.fill(9, 2, 3);
  done();
}
