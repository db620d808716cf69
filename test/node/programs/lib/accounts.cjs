class Accounts {
  #balances = new Map([
    ['ann', 100],
    ['bob', 100],
  ]);

  balanceOf(name) {
    return this.#balances.get(name);
  }

  store(name, balance) {
    this.#balances.set(name, balance);
  }
}

module.exports = { Accounts };
