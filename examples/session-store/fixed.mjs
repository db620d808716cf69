// As broken.mjs, but each session is changed by one request after the other.
import { setTimeout as pause } from 'node:timers/promises';

class SessionStore {
  #sessions = new Map();
  #last = new Map();

  async #load(id) {
    await pause(1);
    return { ...this.#sessions.get(id) };
  }

  async #save(id, session) {
    await pause(1);
    this.#sessions.set(id, session);
  }

  load(id) {
    return this.change(id, () => {});
  }

  change(id, edit) {
    const before = this.#last.get(id) ?? Promise.resolve();
    const now = before.then(() => this.#edit(id, edit));
    this.#last.set(id, now);
    return now;
  }

  async #edit(id, edit) {
    const session = await this.#load(id);
    edit(session);
    await this.#save(id, session);
    return session;
  }
}

const store = new SessionStore();

async function addToCart(id, article) {
  await store.change(id, (session) => {
    session.cart = [...(session.cart ?? []), article];
  });
}

async function setLanguage(id, language) {
  await store.change(id, (session) => {
    session.language = language;
  });
}

await store.change('ann', (session) => {
  session.cart = [];
});
await Promise.all([addToCart('ann', 'book'), setLanguage('ann', 'no')]);
console.log('session:', JSON.stringify(await store.load('ann')));
