// expect: violation booking
import { atomic, lock } from 'trackside';
import { after, done, me, shared, start } from './lib/crew.mjs';

const seats = new Int32Array(shared);

const free = () => seats[0];
const take = () => {
  seats[0] = me;
};

if (me === 0) {
  await start(import.meta.url);
  console.log(seats[0]);
} else if (me === 1) {
  atomic('booking', () => {
    if (free() !== 0) return;
    done();
    after(2);
    take();
  });
} else {
  after(1);
  lock('nobody else has it', take);
  done();
}
