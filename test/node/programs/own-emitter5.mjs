// expect: ok
import { EventEmitter, once } from 'node:events';

class Job extends EventEmitter {
  start() {
    setTimeout(() => {
      this.emit('progress', 50);
      this.emit('progress', 100);
      this.emit('done');
    }, 1);
  }
}
async function run() {
  const job = new Job();
  let percent = 0;
  job.on('progress', (p) => {
    percent = p;
  });
  job.start();
  await once(job, 'done');
  return percent;
}
console.log((await Promise.all([run(), run()])).join());
