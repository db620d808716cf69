// expect: ok
class Topic {
  #subscribers = new Set();

  subscribe(listener) {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  async publish(message) {
    await Promise.all([...this.#subscribers].map((listener) => listener(message)));
  }
}

const topic = new Topic();
const seen = [];
const stop = topic.subscribe(async (message) => {
  await null;
  seen.push(message);
});
topic.subscribe((message) => seen.push(message.toUpperCase()));
await Promise.all([topic.publish('a'), topic.publish('b')]);
stop();
await topic.publish('c');
console.log(seen);
