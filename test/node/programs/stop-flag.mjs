// expect: note Poller.start
// A flag that is set to be seen: whoever stops the poller means the loop to find out.
import { setTimeout as pause } from 'node:timers/promises';

class Poller {
  polls = 0;

  async start() {
    this.running = true;
    for (;;) {
      await pause(1);
      if (!this.running) return;
      this.polls++;
    }
  }

  stop() {
    this.running = false;
  }
}

const poller = new Poller();
const done = poller.start();
await pause(5);
poller.stop();
await done;
console.log(poller.polls > 0);
