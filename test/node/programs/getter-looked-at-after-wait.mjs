// expect: ok
class Account {
  #entries = [100];

  get balance() {
    return this.#entries.reduce((sum, entry) => sum + entry, 0);
  }

  async withdraw(amount) {
    if (this.balance < 0) return false;
    await null;
    if (this.balance < amount) return false;
    this.#entries.push(-amount);
    return true;
  }
}

const account = new Account();
console.log(await Promise.all([account.withdraw(80), account.withdraw(80)]), account.balance);
