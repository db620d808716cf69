// expect: violation prepared
import { after, done, me, shared, start } from './lib/crew.mjs';

const state = new Int32Array(shared);

function prepared(meanwhile) {
  // (1)
  if (Atomics.load(state, 0) === 0) {
    meanwhile();
    state[1] = me;
    Atomics.store(state, 0, 1); // (2)
  }
  return state[1];
}

if (me === 0) {
  await start(import.meta.url);
  console.log(state[1]);
} else if (me === 1) {
  prepared(() => {
    done();
    after(2);
  });
} else {
  after(1);
  prepared(() => {});
  done();
}
