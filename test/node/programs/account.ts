// expect: violation Account.withdraw
// prints: [ true, true ] -60
interface Options {
  readonly limit?: number;
}

type Amount = number & { readonly __brand?: 'amount' };

class Account<T extends Options = Options> {
  private balance: Amount = 100;
  declare readonly owner: string;
  readonly options: T;

  constructor(options: T) {
    this.options = options;
  }

  async withdraw(amount: Amount): Promise<boolean> {
    const limit = (this.options as Options)?.limit ?? 0;
    if (this.balance - amount < limit) return false; // (1)
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.balance -= amount satisfies number; // (2)
    return true;
  }

  get left(): number {
    return this.balance!;
  }
}

const account = new Account({ limit: 0 } satisfies Options);
console.log(await Promise.all([account.withdraw(80), account.withdraw(80)]), account.left);
