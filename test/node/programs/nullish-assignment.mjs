// expect: violation Client.token
class Client {
  #token;
  fetched = 0;

  async token() {
    this.#token ??= await this.fetchToken(); // (1) (2)
    return this.#token;
  }

  async fetchToken() {
    await null;
    return `token ${++this.fetched}`;
  }
}

const client = new Client();
console.log(await Promise.all([client.token(), client.token()]));
