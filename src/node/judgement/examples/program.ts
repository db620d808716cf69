export interface RuleExample {
  /** A program in which the rule decides. */
  example: string;
  /** The nearest one in which it must not. */
  twin: string;
  /** Whether both have to be in a package that a program uses. */
  isOfPackage?: true;
}

const TURN = 'const turn = () => new Promise((resolve) => setImmediate(resolve));';

export function program(text: string): string {
  return `${TURN}\n${text.trim()}\n`;
}

export const STALE = program(`
const account = { balance: 100 };
async function withdraw(amount) {
  const { balance } = account;
  await turn();
  account.balance = balance - amount;
}
module.exports = Promise.all([withdraw(10), withdraw(20)]);`);

export const SAFE = program(`
const account = { balance: 100 };
async function withdraw(amount) {
  await turn();
  const { balance } = account;
  account.balance = balance - amount;
}
module.exports = Promise.all([withdraw(10), withdraw(20)]);`);
