// expect: violation Metrics.flush
class Metrics {
  counters = {};
  sent = [];

  hit(name) {
    this.counters[name] = (this.counters[name] ?? 0) + 1;
  }

  async push(counters) {
    await null;
    this.sent.push(counters);
  }

  async flush() {
    const counters = { ...this.counters }; // (1)
    if (Object.keys(counters).length === 0) return;
    await this.push(counters);
    this.counters = {}; // (2)
  }

  async swap() {
    const { counters } = this;
    this.counters = {};
    await this.push(counters);
  }
}

async function use(metrics, work) {
  metrics.hit('a');
  await Promise.all([work(), Promise.resolve().then(() => metrics.hit('b'))]);
  await work();
  return metrics.sent;
}

const [emptied, swapped] = [new Metrics(), new Metrics()];
console.log(await use(emptied, () => emptied.flush()), await use(swapped, () => swapped.swap()));
