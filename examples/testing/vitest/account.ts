/** Waits for somebody else, as whoever asks a database or a bank does. */
const approved = (_amount: number) => new Promise((resolve) => setTimeout(resolve, 1));

export class Account {
  #balance: number;

  constructor(balance: number) {
    this.#balance = balance;
  }

  get balance(): number {
    return this.#balance;
  }

  /** Broken: while one withdrawal waits, another may change the balance that this one has read. */
  async withdraw(amount: number): Promise<boolean> {
    const balance = this.#balance;
    if (balance < amount) return false;
    await approved(amount);
    this.#balance = balance - amount;
    return true;
  }
}

export class FixedAccount {
  #balance: number;

  constructor(balance: number) {
    this.#balance = balance;
  }

  get balance(): number {
    return this.#balance;
  }

  /** Takes the money first and gives it back if need be: nothing is awaited between the check and the change. */
  async withdraw(amount: number): Promise<boolean> {
    if (this.#balance < amount) return false;
    this.#balance -= amount;
    try {
      await approved(amount);
      return true;
    } catch (error) {
      this.#balance += amount;
      throw error;
    }
  }
}
