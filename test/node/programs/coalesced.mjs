// expect: ok
class Settings {
  #pending = null;
  loads = 0;

  async get() {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #load() {
    this.loads++;
    await null;
    return { theme: 'dark' };
  }
}

const settings = new Settings();
const [a, b] = await Promise.all([settings.get(), settings.get()]);
console.log(a === b, settings.loads, await settings.get(), settings.loads);
