export interface Entry {
  amount: number;
}

export class Ledger {
  sum = 0;

  async book({ amount }: Entry): Promise<void> {
    const before = this.sum;
    await Promise.resolve();
    this.sum = before + amount;
  }
}
