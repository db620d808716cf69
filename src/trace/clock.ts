/** Milliseconds since some moment, as `performance.now()` tells them, for which Node loads eight modules of its own. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
