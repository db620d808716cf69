const turn = () => new Promise((resolve) => setImmediate(resolve));
// Who connects says so at once, and others wait for the same connection.
class Client {
  state = 'idle';
  connecting = null;
  async connect() {
    if (this.state === 'open') return;
    if (this.state === 'connecting') return this.connecting;
    this.state = 'connecting';
    this.connecting = turn().then(() => {
      this.state = 'open';
      this.connecting = null;
    });
    return this.connecting;
  }
}
const client = new Client();
module.exports = Promise.all([client.connect(), client.connect(), client.connect()]);
