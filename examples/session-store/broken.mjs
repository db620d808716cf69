// A session is loaded as a whole, changed, and stored as a whole: two requests of one user undo each other.
import { setTimeout as pause } from 'node:timers/promises';

class SessionStore {
  #sessions = new Map();

  async load(id) {
    await pause(1);
    return { ...this.#sessions.get(id) };
  }

  async save(id, session) {
    await pause(1);
    this.#sessions.set(id, session);
  }
}

const store = new SessionStore();

async function addToCart(id, article) {
  const session = await store.load(id);
  session.cart = [...(session.cart ?? []), article];
  await store.save(id, session);
}

async function setLanguage(id, language) {
  const session = await store.load(id);
  session.language = language;
  await store.save(id, session);
}

await store.save('ann', { cart: [] });
await Promise.all([addToCart('ann', 'book'), setLanguage('ann', 'no')]);
console.log('session:', JSON.stringify(await store.load('ann')));
