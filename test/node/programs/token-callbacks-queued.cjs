// expect: ok
const { randomBytes } = require('node:crypto');
const { promisify } = require('node:util');

class Client {
  #renewing = false;
  #waiting = [];
  token = null;

  getToken(callback) {
    if (this.token) return callback(null, this.token);
    this.#waiting.push(callback);
    if (this.#renewing) return;
    this.#renewing = true;
    randomBytes(16, (error, bytes) => {
      if (!error) this.token = bytes.toString('hex');
      this.#renewing = false;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const waiter of waiting) waiter(error, this.token);
    });
  }
}
const client = new Client();
const getToken = promisify(client.getToken.bind(client));
Promise.all([getToken(), getToken(), getToken()]).then((tokens) => console.log(new Set(tokens).size));
