// A poll: async-mutex around the casting and the closing, everybody votes nearly at once.
import { Mutex, withTimeout } from 'async-mutex';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Poll {
  #mutex = withTimeout(new Mutex(), 5000);
  #votes = new Map();
  #counts = { yes: 0, no: 0 };
  #isClosed = false;

  async #cast(voter, choice) {
    if (this.#isClosed || this.#votes.has(voter)) return false;
    await pause(1); // The voter's right is looked up.
    this.#votes.set(voter, choice);
    this.#counts[choice] += 1;
    return true;
  }

  async #close() {
    const { yes, no } = this.#counts;
    await pause(2);
    this.#isClosed = true;
    return `${yes > no ? 'yes' : 'no'}, of ${this.#votes.size}`;
  }

  cast(voter, choice) {
    return this.#mutex.runExclusive(() => this.#cast(voter, choice)); // lock: cast -> return this.#cast(voter, choice);
  }

  close() {
    return this.#mutex.runExclusive(() => this.#close()); // lock: close -> return this.#close();
  }
}

const poll = new Poll();
const votes = [];
for (let i = 0; i < 12; i++) {
  votes.push(pause(i * 20).then(() => poll.cast(`voter ${i % 8}`, i % 3 === 0 ? 'no' : 'yes')));
}
votes.push(pause(190).then(() => poll.close()));
const results = await Promise.all(votes);
console.log('votes', results.length);
