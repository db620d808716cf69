// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Everyone who is refused asks for a new token, and the last answer counts.
let valid = 1;
async function api(path, token) {
  await turn();
  return token === valid ? { status: 200, path } : { status: 401 };
}
async function renewed(token) {
  await turn();
  valid = token + 2;
  return valid;
}
class Client {
  token = 0;
  async get(path) {
    let response = await api(path, this.token);
    if (response.status === 401) {
      this.token = await renewed(this.token);
      response = await api(path, this.token);
    }
    return response;
  }
}
const client = new Client();
module.exports = Promise.all([client.get('/me'), client.get('/cart')]);
