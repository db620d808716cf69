/** Where the next NUL byte stands, or `to` if none does: one fast search a window instead of a test a byte. */
export function nextNul(bytes: Uint8Array, from: number, to: number): number {
  const at = bytes.indexOf(0, from);
  return at >= 0 && at < to ? at : to;
}

/** Behind the mark with which some programs start a UTF-8 file. */
export function skipByteOrderMark(bytes: Uint8Array, start: number, end: number): number {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
    ? start + 3
    : start;
}
