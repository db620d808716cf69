/** `array` if it already holds `length` elements, else a copy at least twice as long, filled up with `fill`. */
export function grownInt32(
  array: Int32Array<ArrayBuffer>,
  length: number,
  fill = 0,
): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const bigger = new Int32Array(Math.max(length, array.length * 2, 16));
  bigger.set(array);
  if (fill !== 0) bigger.fill(fill, array.length);
  return bigger;
}

export function grownUint8(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const bigger = new Uint8Array(Math.max(length, array.length * 2, 16));
  bigger.set(array);
  return bigger;
}

export function grownFloat64(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const bigger = new Float64Array(Math.max(length, array.length * 2, 16));
  bigger.set(array);
  return bigger;
}
