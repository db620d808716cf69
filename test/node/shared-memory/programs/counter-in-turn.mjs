// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const counter = new Uint16Array(shared);

if (me === 0) {
  await start(import.meta.url);
  console.log(counter[0]);
} else {
  for (let i = 0; i < 20; i++) {
    after(2 * i + me - 1);
    counter[0]++;
    done();
  }
}
