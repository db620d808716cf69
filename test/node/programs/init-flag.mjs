// expect: violation Plugin.start
class Plugin {
  started = false;
  loads = 0;

  async start() {
    if (this.started) return; // (1)
    await this.load();
    this.started = true; // (2)
  }

  async load() {
    this.loads++;
    await null;
  }
}

const plugin = new Plugin();
await Promise.all([plugin.start(), plugin.start()]);
console.log(plugin.loads);
