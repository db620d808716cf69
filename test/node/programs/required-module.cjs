// expect: violation deposit
// A module that is required is instrumented like one that is imported.
process.removeAllListeners('warning');
const { account, deposit } = require('./lib/required.mjs');

Promise.all([deposit(1), deposit(2)]).then(() => console.log(account.balance));
