import threads from 'node:worker_threads';

/** Deeper or larger values are not searched. */
const MOST_VALUES = 10_000;

/** The ports in a value, in an order that is the same for its copy; none of the program's code is run. */
export function portsIn(value: unknown): object[] {
  const ports: object[] = [];
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && seen.size < MOST_VALUES) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof threads.MessagePort) ports.push(next);
    else waiting.push(...valuesIn(next).reverse());
  }
  return ports;
}

function valuesIn(value: object): unknown[] {
  if (ArrayBuffer.isView(value)) return [];
  if (value instanceof Map) return [...value].flat();
  if (value instanceof Set) return [...value];
  return Object.keys(value).map((key) => Object.getOwnPropertyDescriptor(value, key)?.value);
}
