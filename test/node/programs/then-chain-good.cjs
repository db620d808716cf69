// expect: ok
const account = { balance: 0 };
let last = Promise.resolve();

function readBalance() {
  return Promise.resolve(account.balance);
}

function writeBalance(balance) {
  return Promise.resolve().then(() => {
    account.balance = balance;
  });
}

function deposit(amount) {
  last = last.then(readBalance).then((balance) => writeBalance(balance + amount));
  return last;
}

Promise.all([deposit(10), deposit(20)]).then(() => console.log(account));
