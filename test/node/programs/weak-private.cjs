// expect: ok
const hidden = new WeakMap();

class Job {
  constructor(name) {
    hidden.set(this, { name, steps: [] });
  }

  async run() {
    const self = hidden.get(this);
    self.steps.push('start');
    await null;
    self.steps.push('end');
    return `${self.name} ${self.steps.length}`;
  }
}

Promise.all([new Job('a').run(), new Job('b').run()]).then((done) => console.log(done));
