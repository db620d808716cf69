/**
 * What is known to have come before what: a partial order to which edges are added. What belongs to a chain is ordered by its
 * place there, so that a clock with one number for each chain says all that came before a node.
 */
export class Precedence {
  readonly #clocks: Int32Array[] = [];
  readonly #chain: number[] = [];
  readonly #place: number[] = [];
  readonly #next: number[][] = [];
  readonly #chains: number;
  readonly #lengths: number[];

  constructor(chains: number) {
    this.#chains = chains;
    this.#lengths = new Array(chains).fill(0);
  }

  /** A node at the end of a chain, or of none: such a node only hands on what came before it. */
  add(chain: number | null): number {
    const node = this.#clocks.length;
    const clock = new Int32Array(this.#chains);
    this.#clocks.push(clock);
    this.#chain.push(chain ?? -1);
    this.#next.push([]);
    this.#place.push(chain === null ? 0 : ++this.#lengths[chain]);
    if (chain !== null) clock[chain] = this.#place[node];
    return node;
  }

  /** Whether the one is known to have come before the other; both belong to chains. */
  isBefore(one: number, other: number): boolean {
    return one !== other && this.#clocks[other][this.#chain[one]] >= this.#place[one];
  }

  /** The other comes after the one. False if it is known to be the other way round. */
  order(one: number, other: number): boolean {
    if (this.#chain[one] >= 0 && this.#chain[other] >= 0) {
      if (this.isBefore(one, other)) return true;
      if (one === other || this.isBefore(other, one)) return false;
    }
    this.#next[one].push(other);
    const changed = [one];
    for (let node = changed.pop(); node !== undefined; node = changed.pop()) {
      const clock = this.#clocks[node];
      for (const next of this.#next[node]) if (join(this.#clocks[next], clock)) changed.push(next);
    }
    return true;
  }

  /** How much of each chain came before a node, itself included. */
  clock(node: number): Int32Array {
    return this.#clocks[node];
  }

  chainOf(node: number): number {
    return this.#chain[node];
  }

  placeOf(node: number): number {
    return this.#place[node];
  }

  copy(): Precedence {
    const copy = new Precedence(this.#chains);
    for (const clock of this.#clocks) copy.#clocks.push(clock.slice());
    for (const next of this.#next) copy.#next.push([...next]);
    copy.#chain.push(...this.#chain);
    copy.#place.push(...this.#place);
    copy.#lengths.splice(0, copy.#lengths.length, ...this.#lengths);
    return copy;
  }
}

/** Whether that has changed it. */
function join(clock: Int32Array, other: Int32Array): boolean {
  let isChanged = false;
  for (let i = 0; i < clock.length; i++)
    if (other[i] > clock[i]) {
      clock[i] = other[i];
      isChanged = true;
    }
  return isChanged;
}
