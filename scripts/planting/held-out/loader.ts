// A cache that loads each key once, however many ask; and a connection that is opened once.
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Connection {
  id: number;
  query(key: string): Promise<string>;
}

let opened = 0;

async function open(): Promise<Connection> {
  await sleep(4);
  opened += 1;
  const id = opened;
  return {
    id,
    async query(key) {
      await sleep(3);
      return `${key}:${id}`;
    },
  };
}

class Database {
  private connection: Connection | null = null;
  private opening: Promise<Connection> | null = null;

  private async openNow(): Promise<Connection> {
    if (this.connection === null) this.connection = await open();
    return this.connection;
  }

  connect(): Promise<Connection> {
    this.opening ??= this.openNow(); // lock: connect -> return this.openNow();
    return this.opening; // lock: connect
  }
}

class Cache {
  private values = new Map<string, string>();
  private loading = new Map<string, Promise<string>>();
  private database = new Database();

  private async load(key: string): Promise<string> {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const connection = await this.database.connect();
    const value = await connection.query(key);
    this.values.set(key, value);
    return value;
  }

  private begin(key: string): Promise<string> {
    const pending = this.load(key).finally(() => this.loading.delete(key));
    this.loading.set(key, pending);
    return pending;
  }

  get(key: string): Promise<string> {
    return this.loading.get(key) ?? this.begin(key); // lock: load -> return this.load(key);
  }
}

const cache = new Cache();
const ask = async (key: string, after: number) => {
  await sleep(after);
  return cache.get(key);
};
const answers = await Promise.all([
  ask('a', 5),
  ask('b', 40),
  ask('a', 60),
  ask('c', 100),
  ask('c', 140),
  ask('b', 180),
  ask('d', 200),
  ask('d', 230),
]);
console.log('answers', answers.length);
