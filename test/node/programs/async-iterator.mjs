// expect: ok
class Channel {
  #values = [];
  #waiting = [];
  #isClosed = false;

  send(value) {
    const next = this.#waiting.shift();
    if (next) next({ value, done: false });
    else this.#values.push(value);
  }

  close() {
    this.#isClosed = true;
    for (const next of this.#waiting.splice(0)) next({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return {
      next: () =>
        new Promise((resolve) => {
          if (this.#values.length > 0) resolve({ value: this.#values.shift(), done: false });
          else if (this.#isClosed) resolve({ value: undefined, done: true });
          else this.#waiting.push(resolve);
        }),
    };
  }
}

const channel = new Channel();
const got = [];

async function consume(name) {
  for await (const value of channel) got.push(`${name}${value}`);
}

async function produce() {
  for (let i = 0; i < 4; i++) {
    await new Promise(setImmediate);
    channel.send(i);
  }
  channel.close();
}

await Promise.all([consume('a'), consume('b'), produce()]);
console.log(got.length);
