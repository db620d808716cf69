// expect: violation deposit
const account = { balance: 0 };

function readBalance() {
  return Promise.resolve(account.balance); // (1)
}

function writeBalance(balance) {
  return Promise.resolve().then(() => {
    account.balance = balance; // (2)
  });
}

function deposit(amount) {
  return readBalance().then((balance) => writeBalance(balance + amount));
}

Promise.all([deposit(10), deposit(20)]).then(() => console.log(account));
