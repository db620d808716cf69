// expect: violation counter[0]
import { after, done, me, shared, start } from './lib/crew.mjs';

const counter = new Int32Array(shared);

const one = (meanwhile) => {
  meanwhile();
  return 1;
};

if (me === 0) {
  await start(import.meta.url);
  console.log(counter[0]);
} else if (me === 1) {
  // (1) (2)
  counter[0] += one(() => {
    done();
    after(2);
  });
} else {
  after(1);
  counter[0]++;
  done();
}
