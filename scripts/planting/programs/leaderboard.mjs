// The best scores of a game, by season.
import { Lock } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

class Leaderboard {
  #scores = [];
  #archive = [];
  #lock = new Lock();

  async #verify(score) {
    await pause(2);
    return score < 1000;
  }

  async submit(player, score) {
    const release = await this.#lock.acquire(); // lock: submit
    try {
      const lowest = this.#scores.at(-1)?.score ?? 0;
      if (this.#scores.length >= 3 && score <= lowest) return false;
      if (!(await this.#verify(score))) return false;
      const scores = [...this.#scores, { player, score }];
      this.#scores = scores.sort((a, b) => b.score - a.score).slice(0, 3);
      return true;
    } finally {
      release(); // lock: submit
    }
  }

  async closeSeason() {
    const release = await this.#lock.acquire(); // lock: close season
    try {
      const best = this.#scores;
      await pause(2); // The winners get their mail.
      this.#archive.push(best);
      this.#scores = [];
    } finally {
      release(); // lock: close season
    }
  }

  seasons() {
    return [...this.#archive, this.#scores].map((scores) => scores.length);
  }
}

const board = new Leaderboard();
await traffic(1200, [
  () => board.submit('ann', 300),
  () => board.submit('bob', 400),
  () => board.submit('cid', 200),
  () => board.submit('dan', 500),
  () => board.submit('eve', 100),
  () => board.submit('fay', 600),
  () => board.closeSeason(),
]);
console.log('entries by season:', board.seasons());
