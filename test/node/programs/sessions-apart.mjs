// expect: ok
class SessionStore {
  sessions = new Map();

  async load(id) {
    await null;
    return JSON.parse(this.sessions.get(id) ?? '{}');
  }

  async save(id, session) {
    await null;
    this.sessions.set(id, JSON.stringify(session));
  }

  async update(id, changes) {
    const session = await this.load(id);
    Object.assign(session, changes);
    await this.save(id, session);
  }
}

const store = new SessionStore();
await Promise.all([store.update('s', { name: 'ann' }), store.update('t', { theme: 'dark' })]);
console.log([...store.sessions]);
