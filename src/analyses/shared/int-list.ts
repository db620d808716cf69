import { grownInt32 } from '../../trace/growable.ts';

/** A list of integers that grows. */
export class IntList {
  items: Int32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 16) {
    this.items = new Int32Array(capacity);
  }

  push(item: number): void {
    if (this.length === this.items.length) this.items = grownInt32(this.items, this.length + 1);
    this.items[this.length++] = item;
  }

  /** Makes room for `count` more items, which hold whatever was there, and returns where they start. */
  extend(count: number): number {
    const start = this.length;
    this.items = grownInt32(this.items, start + count);
    this.length = start + count;
    return start;
  }
}
