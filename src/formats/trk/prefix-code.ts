/** No code is longer, so that a symbol is found by a look into a table. */
export const MOST_CODE_BITS = 12;
export const MOST_SYMBOLS = 1 << MOST_CODE_BITS;

/**
 * How many bits each symbol takes, by how often it occurs: Huffman's, at least 1 and at most `MOST_CODE_BITS`. Every count must be more
 * than 0. Null if there are too many symbols.
 */
export function codeLengths(counts: ArrayLike<number>): Uint8Array | null {
  const size = counts.length;
  if (size > MOST_SYMBOLS) return null;
  const lengths = new Uint8Array(size);
  if (size === 1) lengths[0] = 1;
  if (size < 2) return lengths;
  // Longer codes make larger tables for the reader, and are hardly ever used.
  const limit = Math.min(MOST_CODE_BITS, Math.max(8, bitsFor(size - 1) + 2));
  const weights = Float64Array.from(counts);
  for (;;) {
    if (fillLengths(weights, lengths) <= limit) return lengths;
    // Rare symbols are taken for less rare than they are.
    for (let i = 0; i < size; i++) weights[i] = Math.ceil(weights[i] / 2);
  }
}

/** How many bits hold every value up to `largest`. */
export function bitsFor(largest: number): number {
  return 32 - Math.clz32(largest);
}

/** Huffman's algorithm with two queues: the symbols by weight, and the nodes in the order in which they are made. Returns the longest. */
function fillLengths(weights: Float64Array, lengths: Uint8Array): number {
  const size = weights.length;
  const order = Uint16Array.from({ length: size }, (_, i) => i).sort((a, b) => weights[a] - weights[b]);
  const nodes = new Float64Array(size);
  const parent = new Int32Array(2 * size);
  let [leaf, node] = [0, 0];
  for (let made = 0; made < size - 1; made++) {
    for (let child = 0; child < 2; child++) {
      if (leaf < size && (node >= made || weights[order[leaf]] <= nodes[node])) {
        parent[leaf] = size + made;
        nodes[made] += weights[order[leaf++]];
      } else {
        parent[size + node] = size + made;
        nodes[made] += nodes[node++];
      }
    }
  }
  const depths = new Uint16Array(2 * size);
  let longest = 0;
  for (let i = 2 * size - 3; i >= 0; i--) {
    depths[i] = depths[parent[i]] + 1;
    if (i >= size) continue;
    lengths[order[i]] = depths[i];
    longest = Math.max(longest, depths[i]);
  }
  return longest;
}

/**
 * The code of each symbol, its first bit the lowest: shorter codes come first, and those of one length in the order of their symbols
 * (counted up with the first bit as the highest). Null if the lengths are not those of a code in which every sequence of bits means something; of
 * a single symbol, both bits mean it.
 */
export function prefixCodes(lengths: Uint8Array): Uint16Array | null {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let bits = 1; bits <= MOST_CODE_BITS; bits++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== bits) continue;
      if (next >= 1 << bits) return null;
      codes[symbol] = reversed(next++, bits);
    }
    if (bits < MOST_CODE_BITS) next *= 2;
  }
  const isWhole = next === 1 << MOST_CODE_BITS || (lengths.length === 1 && lengths[0] === 1);
  return isWhole && !lengths.includes(0) ? codes : null;
}

function reversed(code: number, bits: number): number {
  let result = 0;
  for (let i = 0; i < bits; i++) result |= ((code >>> i) & 1) << (bits - 1 - i);
  return result;
}
