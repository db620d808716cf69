// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// What is appended was decided by what had been loaded, with its number; nobody compares that.
class EventStore {
  #streams = new Map();
  async load(id) {
    await turn();
    const events = this.#streams.get(id) ?? [];
    return { events: [...events], version: events.length };
  }
  async append(id, event) {
    await turn();
    const events = this.#streams.get(id) ?? [];
    events.push(event);
    this.#streams.set(id, events);
  }
}
async function withdraw(store, id, amount) {
  const { events } = await store.load(id);
  const balance = events.reduce((sum, one) => sum + one, 0);
  if (balance < amount) return false;
  await store.append(id, -amount);
  return true;
}
module.exports = (async () => {
  const store = new EventStore();
  await store.append('ann', 100);
  return Promise.all([withdraw(store, 'ann', 80), withdraw(store, 'ann', 70)]);
})();
