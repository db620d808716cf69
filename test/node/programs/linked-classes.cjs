// expect: violation Teller.withdraw
const { Accounts } = require('./lib/accounts.cjs');

class Teller {
  constructor(accounts) {
    this.accounts = accounts;
  }

  async withdraw(name, amount) {
    if (this.accounts.balanceOf(name) < amount) throw new Error('not enough');
    await null;
    this.accounts.store(name, this.accounts.balanceOf(name) - amount);
  }

  async correct(name, ask) {
    const before = this.accounts.balanceOf(name);
    const balance = await ask();
    this.accounts.store(name, balance);
    return { name, before };
  }
}

async function main() {
  const accounts = new Accounts();
  const teller = new Teller(accounts);
  await Promise.allSettled([teller.withdraw('ann', 80), teller.withdraw('ann', 80)]);
  await Promise.all([teller.correct('bob', async () => 7), teller.correct('bob', async () => 8)]);
  console.log(accounts.balanceOf('ann'), accounts.balanceOf('bob'));
}

main();
