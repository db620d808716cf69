// expect: violation add
import { after, done, me, shared, start } from './lib/crew.mjs';

const view = new DataView(shared, 8);

function add(amount, meanwhile) {
  const before = view.getUint32(4, true); // (1)
  meanwhile();
  view.setUint32(4, before + amount, true); // (2)
}

if (me === 0) {
  await start(import.meta.url);
  console.log(view.getUint32(4, true));
} else if (me === 1) {
  add(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  new Float32Array(shared)[3] = 1;
  done();
}
