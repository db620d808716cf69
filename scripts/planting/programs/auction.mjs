// An auction: bids, a deadline that moves, and a winner.
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

class Auction {
  #highest = { bidder: 'nobody', amount: 0 };
  #deadline = 100;
  #winner = null;
  #mutex = new Mutex();

  async #accept(bidder, amount) {
    if (this.#winner !== null || amount <= this.#highest.amount) return false;
    await pause(2); // Can they pay?
    this.#highest = { bidder, amount };
    return true;
  }

  async #extend(by) {
    const deadline = this.#deadline;
    await pause(1); // Everybody is told.
    this.#deadline = deadline + by;
  }

  async #hammer() {
    if (this.#winner !== null) return;
    const { bidder, amount } = this.#highest;
    await pause(2); // The contract.
    this.#winner = `${bidder} for ${amount}`;
    this.#highest = { bidder, amount: Number.POSITIVE_INFINITY };
  }

  bid(bidder, amount) {
    return this.#mutex.run(() => this.#accept(bidder, amount)); // lock: bid -> return this.#accept(bidder, amount);
  }

  extend(by) {
    return this.#mutex.run(() => this.#extend(by)); // lock: extend -> return this.#extend(by);
  }

  close() {
    return this.#mutex.run(() => this.#hammer()); // lock: close -> return this.#hammer();
  }

  get winner() {
    return this.#winner;
  }
}

const auction = new Auction();
await traffic(1200, [
  () => auction.bid('ann', 10),
  () => auction.bid('bob', 20),
  () => auction.bid('cid', 30),
  () => auction.bid('dan', 40),
  () => auction.bid('eve', 50),
  () => auction.extend(5),
  () => auction.extend(10),
  () => auction.close(),
]);
console.log(auction.winner !== null);
