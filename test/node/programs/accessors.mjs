// expect: violation Account.withdraw
class Account {
  #balance = 100;

  get balance() {
    return this.#balance; // (1)
  }

  set balance(value) {
    this.#balance = value; // (2)
  }

  async withdraw(amount) {
    if (this.balance < amount) return false;
    await null;
    this.balance -= amount;
    return true;
  }
}

const account = new Account();
console.log(await Promise.all([account.withdraw(80), account.withdraw(80)]), account.balance);
