// expect: violation Wallet.pay
class Wallet {
  #balance = 100;

  get() {
    return this.#balance; // (1)
  }

  set(balance) {
    this.#balance = balance; // (2)
  }

  canPay(amount) {
    return this.get() >= amount;
  }

  async pay(amount) {
    if (!this.canPay(amount)) throw new Error('no funds');
    await null;
    this.set(this.get() - amount);
  }

  async payWhatIsThere(amount) {
    if (!this.canPay(amount)) throw new Error('no funds');
    await null;
    if (!this.canPay(amount)) throw new Error('no funds any more');
    this.set(this.get() - amount);
  }
}

const [one, other] = [new Wallet(), new Wallet()];
await Promise.allSettled([one.pay(80), one.pay(80)]);
await Promise.allSettled([other.payWhatIsThere(80), other.payWhatIsThere(80)]);
console.log(one.get(), other.get());
