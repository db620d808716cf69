// expect: violation reserve
// because: shared-result
// Who waited for the same request may each store its result with a time of their own, in one object or beside it; but not with a
// name of their own, in a place that was free before.
const turn = () => new Promise((resolve) => setImmediate(resolve));

const cache = new Map();
const inflight = new Map();
function rate(currency) {
  const hit = cache.get(currency);
  if (hit && hit.until > Date.now()) return Promise.resolve(hit.value);
  let loading = inflight.get(currency);
  if (!loading) {
    loading = turn()
      .then(() => ({ currency, rate: 7 }))
      .finally(() => inflight.delete(currency));
    inflight.set(currency, loading);
  }
  return loading.then((value) => {
    cache.set(currency, { value, until: Date.now() + 60_000 });
    return value;
  });
}

class Session {
  #pending = null;
  token = null;
  expires = 0;

  async get() {
    if (this.token !== null && this.expires > Date.now()) return this.token;
    this.#pending ??= this.#refresh();
    const { token, seconds } = await this.#pending;
    this.token = token;
    this.expires = Date.now() + seconds * 1000;
    this.#pending = null;
    return token;
  }

  async #refresh() {
    await turn();
    return { token: 'secret', seconds: 60 };
  }
}

let connecting = null;
async function connect() {
  await turn();
  return { name: 'hall' };
}

const seats = new Map();
async function reserve(seat, guest) {
  if (seats.has(seat)) return false; // (1)
  connecting ??= connect();
  const hall = await connecting;
  seats.set(seat, { hall, guest, since: Date.now() }); // (2)
  return true;
}

const session = new Session();
await Promise.all([rate('EUR'), rate('EUR'), session.get(), session.get(), session.get()]);
console.log(await Promise.all([reserve('A1', 7), reserve('A1', 8)]));
