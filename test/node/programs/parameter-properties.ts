// @ts-nocheck: parameter properties need more than erasing types
// expect: ok
// prints: [ 'ann: 2', 'bob: 3' ]
class Request {
  constructor(
    public readonly name: string,
    private size = 0,
  ) {}

  async load(parts: readonly number[]): Promise<string> {
    for (const part of parts) {
      const before: number = this.size;
      await null;
      this.size = before + part;
    }
    return `${this.name}: ${this.size}`;
  }
}

console.log(await Promise.all([new Request('ann').load([1, 1]), new Request('bob').load([3])]));
