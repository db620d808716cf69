// expect: ok
class Channel {
  #items = [];
  #takers = [];

  put(item) {
    const taker = this.#takers.shift();
    if (taker) taker(item);
    else this.#items.push(item);
  }

  take() {
    if (this.#items.length > 0) return Promise.resolve(this.#items.shift());
    return new Promise((resolve) => this.#takers.push(resolve));
  }
}

const channel = new Channel();
const done = [];

async function producer(from) {
  for (let i = 0; i < 3; i++) {
    await null;
    channel.put(from + i);
  }
}

async function consumer() {
  for (let i = 0; i < 3; i++) done.push(await channel.take());
}

await Promise.all([producer(0), consumer(), producer(10), consumer()]);
console.log(done.length);
