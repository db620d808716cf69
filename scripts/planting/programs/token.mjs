// A client that has to ask for a token, which is good for a few calls.
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

let issued = 0;

async function issueToken() {
  await pause(3);
  issued++;
  return { value: `token ${issued}`, left: 4 };
}

class Client {
  #token = null;
  #mutex = new Mutex();

  async #usableToken() {
    if (this.#token === null || this.#token.left === 0) {
      this.#token = await issueToken();
    }
    this.#token.left--;
    return this.#token.value;
  }

  #withToken() {
    return this.#mutex.run(() => this.#usableToken()); // lock: token -> return this.#usableToken();
  }

  async call(path) {
    const token = await this.#withToken();
    await pause(1);
    return `${path} with ${token}`;
  }
}

const client = new Client();
const paths = ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h'];
await traffic(
  1200,
  paths.map((path) => () => client.call(path)),
);
console.log(issued, 'tokens for', paths.length, 'calls');
