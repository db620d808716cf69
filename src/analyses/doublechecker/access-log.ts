import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';

const NONE = -1;
const CHUNK = 16;

/**
 * The events of every live node, in order, so that they can be replayed. Logs are lists of small chunks from one
 * pool; the log of a collected node goes back there.
 */
export class AccessLog {
  #op = new Uint8Array(16 * CHUNK);
  #operand = new Int32Array(16 * CHUNK);
  #event = new Float64Array(16 * CHUNK);
  /** The chunk after each one, in its log or in the list of free ones. */
  #next = new Int32Array(16);
  #chunks = 0;
  #free = NONE;
  /** For each node, its first and last chunk and how many events it has. */
  #first = new Int32Array(0);
  #last = new Int32Array(0);
  #length = new Int32Array(0);
  #entries = 0;
  #atMost = 0;

  /** The largest number of events that were kept at a time. */
  get atMost(): number {
    return this.#atMost;
  }

  /** Makes the log of a new node empty. */
  start(node: number): void {
    if (node >= this.#first.length) this.#growNodes(node + 1);
    this.#first[node] = NONE;
    this.#last[node] = NONE;
    this.#length[node] = 0;
  }

  append(node: number, op: number, operand: number, event: number): void {
    const used = this.#length[node]++ % CHUNK;
    if (used === 0) this.#addChunk(node);
    const at = this.#last[node] * CHUNK + used;
    this.#op[at] = op;
    this.#operand[at] = operand;
    this.#event[at] = event;
    if (++this.#entries > this.#atMost) this.#atMost = this.#entries;
  }

  drop(node: number): void {
    const first = this.#first[node];
    if (first === NONE) return;
    this.#next[this.#last[node]] = this.#free;
    this.#free = first;
    this.#entries -= this.#length[node];
    this.#first[node] = NONE;
  }

  length(node: number): number {
    return this.#length[node];
  }

  /** Where the log of a node starts; to be moved on by `after`. */
  firstOf(node: number): number {
    return this.#first[node] * CHUNK;
  }

  /** Where the event after the one at `place` is; there must be one. */
  after(place: number): number {
    return (place + 1) % CHUNK === 0 ? this.#next[(place / CHUNK) | 0] * CHUNK : place + 1;
  }

  opAt(place: number): number {
    return this.#op[place];
  }

  operandAt(place: number): number {
    return this.#operand[place];
  }

  eventAt(place: number): number {
    return this.#event[place];
  }

  #addChunk(node: number): void {
    let chunk = this.#free;
    if (chunk !== NONE) {
      this.#free = this.#next[chunk];
    } else {
      chunk = this.#chunks++;
      if (chunk === this.#next.length) this.#growChunks();
    }
    if (this.#first[node] === NONE) this.#first[node] = chunk;
    else this.#next[this.#last[node]] = chunk;
    this.#last[node] = chunk;
  }

  #growNodes(count: number): void {
    this.#first = grownInt32(this.#first, count);
    this.#last = grownInt32(this.#last, count);
    this.#length = grownInt32(this.#length, count);
  }

  #growChunks(): void {
    const length = 2 * this.#next.length;
    this.#next = grownInt32(this.#next, length);
    this.#op = grownUint8(this.#op, length * CHUNK);
    this.#operand = grownInt32(this.#operand, length * CHUNK);
    this.#event = grownFloat64(this.#event, length * CHUNK);
  }
}
