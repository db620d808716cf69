// expect: violation Bank.transfer
class Bank {
  #balances = new Map([
    ['ann', 100],
    ['bob', 0],
  ]);

  async transfer(from, to, amount) {
    const balance = this.#balances.get(from); // (1)
    await Promise.resolve();
    this.#balances.set(from, balance - amount); // (2)
    this.#balances.set(to, this.#balances.get(to) + amount);
  }

  get accounts() {
    return [...this.#balances];
  }
}

const bank = new Bank();
await Promise.all([bank.transfer('ann', 'bob', 10), bank.transfer('ann', 'bob', 20)]);
console.log(bank.accounts);
