// expect: ok
// A queue by callbacks: the one at its head is at work, and takes itself out when it is done.
const accounts = { ann: 100 };
const queue = [];

function inTurn(work) {
  queue.push(work);
  if (queue.length === 1) step();
}

function step() {
  queue[0](() => {
    queue.shift();
    if (queue.length > 0) step();
  });
}

function withdraw(amount, done) {
  inTurn((finish) => {
    const { ann } = accounts;
    setTimeout(() => {
      accounts.ann = ann - amount;
      finish();
      done();
    }, 1);
  });
}

withdraw(10, () => {});
withdraw(20, () => {});
withdraw(30, () => {});
