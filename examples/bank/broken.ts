// Two transfers at once: each looks at the balance, waits for the audit, and writes what it had computed before.
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
    const source = this.accounts.get(from)!;
    const target = this.accounts.get(to)!;
    const left = source.balance - amount;
    if (left < 0) return false;
    await audit(from, to, amount);
    source.balance = left;
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
