// because: stale-act duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Two who find it closed both open it.
class Client {
  socket = null;
  sockets = 0;
  async open() {
    await turn();
    return { id: ++this.sockets };
  }
  async connect() {
    if (this.socket !== null) return this.socket;
    this.socket = await this.open();
    return this.socket;
  }
}
const client = new Client();
module.exports = Promise.all([client.connect(), client.connect()]);
