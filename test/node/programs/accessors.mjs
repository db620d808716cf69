// expect: violation Account.withdraw
class Account {
  #balance = 100;

  get balance() {
    return this.#balance;
  }

  set balance(value) {
    this.#balance = value;
  }

  async withdraw(amount) {
    if (this.balance < amount) return false; // (1)
    await null;
    this.balance -= amount; // (2)
    return true;
  }
}

const account = new Account();
console.log(await Promise.all([account.withdraw(80), account.withdraw(80)]), account.balance);
