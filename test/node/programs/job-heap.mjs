// expect: ok
class Jobs {
  heap = [];
  running = 0;
  done = [];

  add(job) {
    this.heap.push(job);
    for (let i = this.heap.length - 1; i > 0 && this.heap[i] > this.heap[(i - 1) >> 1]; i = (i - 1) >> 1)
      [this.heap[i], this.heap[(i - 1) >> 1]] = [this.heap[(i - 1) >> 1], this.heap[i]];
    this.start();
  }

  take() {
    const top = this.heap[0];
    const last = this.heap.pop();
    if (this.heap.length === 0) return top;
    this.heap[0] = last;
    for (let i = 0; 2 * i + 1 < this.heap.length; ) {
      let child = 2 * i + 1;
      if (this.heap[child + 1] > this.heap[child]) child++;
      if (this.heap[i] >= this.heap[child]) break;
      [this.heap[i], this.heap[child]] = [this.heap[child], this.heap[i]];
      i = child;
    }
    return top;
  }

  start() {
    while (this.running < 2 && this.heap.length > 0) {
      this.running++;
      void this.run(this.take());
    }
  }

  async run(job) {
    await null;
    this.done.push(job);
    this.running--;
    this.start();
  }
}

const jobs = new Jobs();
for (let i = 0; i < 7; i++) jobs.add(i % 3);
while (jobs.done.length < 7) await null;
console.log(jobs.done);
