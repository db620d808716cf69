import { setTimeout } from 'node:timers/promises';

export class Account {
  #balance;

  constructor(balance) {
    this.#balance = balance;
  }

  /** Broken: while one withdrawal waits, another may change the balance that this one has read. */
  async withdraw(amount) {
    const balance = this.#balance;
    if (balance < amount) return false;
    await setTimeout(1);
    this.#balance = balance - amount;
    return true;
  }
}

export class FixedAccount {
  #balance;

  constructor(balance) {
    this.#balance = balance;
  }

  /** Nothing is awaited between the check and the change. */
  async withdraw(amount) {
    if (this.#balance < amount) return false;
    this.#balance -= amount;
    await setTimeout(1);
    return true;
  }
}
