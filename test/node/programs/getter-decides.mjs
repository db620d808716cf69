// expect: violation Account.withdraw
// because: stale-act
class Account {
  #entries = [100];

  get balance() {
    return this.#entries.reduce((sum, entry) => sum + entry, 0); // (1)
  }

  async withdraw(amount) {
    if (this.balance < amount) return false;
    await null;
    this.#entries.push(-amount); // (2)
    return true;
  }
}

const account = new Account();
console.log(await Promise.all([account.withdraw(80), account.withdraw(80)]), account.balance);
