/*
 * The hash of names: NH of UMAC. Each word of four bytes is two halves; to each half a secret number is added, the sums
 * are multiplied, and the products are added up. Whoever does not know the numbers cannot make names that collide more often
 * than by chance, and as only additions depend on each other, a word takes little more time than a byte would.
 */

/** Words with numbers of their own; what follows them in longer names starts over. */
const WORDS = 64;

/** Other ones in every process. Nobody sees them who writes traces, and loading `node:crypto` takes two milliseconds. */
const KEYS = Int32Array.from({ length: 2 * WORDS }, () => Math.floor(Math.random() * 0x10000));

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let sum = end - start;
  let key = 0;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const low = (bytes[i] | (bytes[i + 1] << 8)) + KEYS[key];
    const high = (bytes[i + 2] | (bytes[i + 3] << 8)) + KEYS[key + 1];
    sum = (sum + Math.imul(low & 0xffff, high & 0xffff)) | 0;
    key += 2;
    if (key === 2 * WORDS) {
      sum = mixed(sum);
      key = 0;
    }
  }
  if (i < end) {
    const low = (bytes[i] | ((i + 1 < end ? bytes[i + 1] : 0) << 8)) + KEYS[key];
    const high = (i + 2 < end ? bytes[i + 2] : 0) + KEYS[key + 1];
    sum = (sum + Math.imul(low & 0xffff, high & 0xffff)) | 0;
  }
  return mixed(sum);
}

/** Lets every bit have a say in the low ones, which choose a place. */
function mixed(sum: number): number {
  const once = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return once ^ (once >>> 13);
}
