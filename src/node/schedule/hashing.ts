/** Mixes two numbers of 32 bits into one; the same two always give the same. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e37_79b1), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** From 0 up to, but without, 1. */
export function fraction(hash: number): number {
  return hash / 0x1_0000_0000;
}
