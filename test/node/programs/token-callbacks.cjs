// expect: violation Client.getToken
// Callbacks alone, and `promisify` around them. What the call has seen its callback goes by, though each puts down the same.
const { randomBytes } = require('node:crypto');
const { promisify } = require('node:util');

class Client {
  asked = 0;
  token = null;

  getToken(callback) {
    // (1)
    if (this.token) return callback(null, this.token);
    this.asked++;
    randomBytes(16, (error, bytes) => {
      if (error) return callback(error);
      // (2)
      this.token = `token of ${bytes.length} bytes`;
      callback(null, this.token);
    });
  }
}
const client = new Client();
const getToken = promisify(client.getToken.bind(client));
Promise.all([getToken(), getToken(), getToken()]).then(() => console.log(client.asked));
