// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

const document = { text: 'a', saved: 0 };

async function save(target) {
  const { text } = target;
  await sleep(2);
  target.saved += text.length;
}

save(document);
document.text = 'bb';
save(document);
await sleep(8);
console.log(document);
