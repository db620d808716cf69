// expect: violation mint
import { randomBytes } from 'node:crypto';

const state = { serial: 0 };

async function mint() {
  await null;
  const serial = state.serial; // (1)
  await new Promise((resolve) => {
    randomBytes(4, () => {
      state.serial = serial + 1; // (2)
      resolve();
    });
  });
}

await Promise.all([mint(), mint()]);
console.log(state.serial);
