// Transfers between accounts, and interest now and then.
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

class Bank {
  #mutex = new Mutex();
  #balances = new Map([
    ['ann', 500],
    ['bob', 500],
    ['cid', 500],
  ]);

  async #move(from, to, amount) {
    const available = this.#balances.get(from);
    if (available < amount) return false;
    await this.#audit(from, amount);
    this.#balances.set(from, available - amount);
    this.#balances.set(to, this.#balances.get(to) + amount);
    return true;
  }

  async #audit(from, amount) {
    await pause(2);
    if (amount > 10_000) throw new Error(`${from} must be asked`);
  }

  async #credit(name, rate) {
    const balance = this.#balances.get(name);
    await pause(1);
    this.#balances.set(name, Math.round(balance * (1 + rate)));
  }

  transfer(from, to, amount) {
    return this.#mutex.run(() => this.#move(from, to, amount)); // lock: transfer -> return this.#move(from, to, amount);
  }

  addInterest(name, rate) {
    return this.#mutex.run(() => this.#credit(name, rate)); // lock: interest -> return this.#credit(name, rate);
  }

  total() {
    return [...this.#balances.values()].reduce((sum, balance) => sum + balance, 0);
  }
}

const bank = new Bank();
await traffic(1200, [
  () => bank.transfer('ann', 'bob', 20),
  () => bank.transfer('ann', 'cid', 30),
  () => bank.transfer('bob', 'ann', 10),
  () => bank.transfer('cid', 'ann', 40),
  () => bank.transfer('bob', 'cid', 50),
  () => bank.addInterest('ann', 0.01),
  () => bank.addInterest('bob', 0.02),
]);
console.log('in all accounts:', bank.total());
