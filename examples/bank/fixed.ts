// As broken.ts, but the balance is looked at and changed without a wait in between.
interface Account {
  readonly owner: string;
  balance: number;
}

class Bank {
  readonly accounts = new Map<string, Account>();

  open(owner: string, balance: number): void {
    this.accounts.set(owner, { owner, balance });
  }

  async transfer(from: string, to: string, amount: number): Promise<boolean> {
    await audit(from, to, amount);
    const source = this.accounts.get(from)!;
    const target = this.accounts.get(to)!;
    if (source.balance < amount) return false;
    source.balance -= amount;
    target.balance += amount;
    return true;
  }
}

async function audit(from: string, to: string, amount: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(`${from} sends ${amount} to ${to}`);
}

const bank = new Bank();
bank.open('Ann', 100);
bank.open('Bob', 0);
bank.open('Cid', 0);

await Promise.all([bank.transfer('Ann', 'Bob', 70), bank.transfer('Ann', 'Cid', 70)]);

for (const { owner, balance } of bank.accounts.values()) console.log(`${owner} has ${balance}`);
