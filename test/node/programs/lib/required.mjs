export const account = { balance: 0 };

export async function deposit(amount) {
  const { balance } = account;
  await null;
  account.balance = balance + amount;
}
