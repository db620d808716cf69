// expect: ok
class Mutex {
  #last = Promise.resolve();

  run(work) {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

const mutex = new Mutex();
const balances = new Map([
  ['ann', 100],
  ['bob', 0],
]);

function transfer(from, to, amount) {
  return mutex.run(async () => {
    const balance = balances.get(from);
    await Promise.resolve();
    balances.set(from, balance - amount);
    balances.set(to, balances.get(to) + amount);
  });
}

await Promise.all([transfer('ann', 'bob', 10), transfer('ann', 'bob', 20)]);
console.log([...balances]);
