/* The program may replace these, and the runtime does. */
export const {
  setTimeout: nativeTimeout,
  setImmediate: nativeImmediate,
  queueMicrotask: nativeMicrotask,
} = globalThis;
