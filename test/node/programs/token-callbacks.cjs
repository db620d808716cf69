// expect: violation getToken
// Callbacks alone, and `promisify` around them: what the call has seen, its callback goes by.
const { randomBytes } = require('node:crypto');
const { promisify } = require('node:util');

class Client {
  #listeners = [];
  token = null;

  getToken(callback) {
    // (1)
    if (this.token) return callback(null, this.token);
    randomBytes(16, (error, bytes) => {
      if (error) return callback(error);
      // (2)
      this.token = bytes.toString('hex');
      for (const listener of this.#listeners) listener(this.token);
      callback(null, this.token);
    });
  }
}
const client = new Client();
const getToken = promisify(client.getToken.bind(client));
Promise.all([getToken(), getToken(), getToken()]).then((tokens) => console.log(new Set(tokens).size));
