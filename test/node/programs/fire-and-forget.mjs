// expect: violation save
import { setTimeout as sleep } from 'node:timers/promises';

const document = { text: 'a', version: 1 };

async function save(target) {
  const next = target.version + 1; // (1)
  await sleep(3);
  target.version = next; // (2)
}

save(document);
document.text = 'b';
await sleep(1);
document.version = 10;
await sleep(8);
console.log(document);
