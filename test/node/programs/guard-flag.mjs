// expect: ok
class Syncer {
  busy = false;
  runs = 0;

  async sync() {
    if (this.busy) return 'busy';
    this.busy = true;
    try {
      await null;
      this.runs++;
      return 'synced';
    } finally {
      this.busy = false;
    }
  }
}

const syncer = new Syncer();
console.log(await Promise.all([syncer.sync(), syncer.sync()]), await syncer.sync(), syncer.runs);
