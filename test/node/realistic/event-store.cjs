const turn = () => new Promise((resolve) => setImmediate(resolve));
// What is appended is refused if others have appended something since it was loaded.
class EventStore {
  #streams = new Map();
  async load(id) {
    await turn();
    const events = this.#streams.get(id) ?? [];
    return { events: [...events], version: events.length };
  }
  async append(id, event, expected) {
    await turn();
    const events = this.#streams.get(id) ?? [];
    if (events.length !== expected) return false;
    events.push(event);
    this.#streams.set(id, events);
    return true;
  }
}
async function withdraw(store, id, amount) {
  for (;;) {
    const { events, version } = await store.load(id);
    const balance = events.reduce((sum, one) => sum + one, 0);
    if (balance < amount) return false;
    if (await store.append(id, -amount, version)) return true;
  }
}
module.exports = (async () => {
  const store = new EventStore();
  await store.append('ann', 100, 0);
  return Promise.all([withdraw(store, 'ann', 80), withdraw(store, 'ann', 70)]);
})();
