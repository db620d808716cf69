// A shop for tickets behind HTTP, with a mutex of its own.
import { createServer } from 'node:http';

class Mutex {
  constructor() {
    this.locked = false;
    this.waiting = [];
  }

  lock() {
    if (!this.locked) {
      this.locked = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  unlock() {
    const next = this.waiting.shift();
    if (next) next();
    else this.locked = false;
  }
}

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class TicketShop {
  constructor(count) {
    this.available = count;
    this.sold = [];
    this.mutex = new Mutex();
  }

  async charge() {
    await delay(4);
    return Date.now();
  }

  async buy(customer) {
    await this.mutex.lock(); // lock: buy
    try {
      if (this.available === 0) return null;
      const paidAt = await this.charge();
      this.available -= 1;
      this.sold.push({ customer, paidAt });
      return this.sold.length;
    } finally {
      this.mutex.unlock(); // lock: buy
    }
  }

  async refund(customer) {
    await this.mutex.lock(); // lock: refund
    try {
      const ticket = this.sold.find((each) => each.customer === customer);
      if (ticket === undefined) return false;
      await delay(3); // The bank is told.
      this.sold = this.sold.filter((each) => each !== ticket);
      this.available += 1;
      return true;
    } finally {
      this.mutex.unlock(); // lock: refund
    }
  }
}

const shop = new TicketShop(3);
const server = createServer(async (request, response) => {
  const [, action, customer] = request.url.split('/');
  const result = action === 'buy' ? await shop.buy(customer) : await shop.refund(customer);
  response.end(JSON.stringify(result));
});

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const get = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  const visit = async (name, after) => {
    await delay(after);
    await get(`/buy/${name}`);
    await delay(50);
    // Who is impatient clicks twice.
    await Promise.all([get(`/refund/${name}`), delay(12).then(() => get(`/refund/${name}`))]);
  };
  await Promise.all(['ann', 'ben', 'cat', 'dan', 'eve'].map((name, i) => visit(name, i * 45)));
  console.log('available', shop.available <= 3);
  server.closeAllConnections();
  server.close();
});
