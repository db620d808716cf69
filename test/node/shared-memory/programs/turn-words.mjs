// expect: ok
import { me, shared, start } from './lib/crew.mjs';

// A word that threads hand to each other is no lock, although it looks like one at first.
const turn = new Int32Array(shared, 0, 1);
const cells = new Int32Array(shared, 8, 2);

function move(amount) {
  cells[0] -= amount;
  cells[1] += amount;
}

if (me === 0) {
  await start(import.meta.url);
  console.log(cells);
} else {
  for (let i = 0; i < 5; i++) {
    if (me === 1) {
      while (Atomics.compareExchange(turn, 0, 0, 1) !== 0) Atomics.wait(turn, 0, 2);
      move(1);
      Atomics.store(turn, 0, 2);
    } else {
      while (Atomics.load(turn, 0) !== 2) Atomics.wait(turn, 0, Atomics.load(turn, 0), 1);
      move(2);
      Atomics.store(turn, 0, 0);
    }
    Atomics.notify(turn, 0);
  }
}
