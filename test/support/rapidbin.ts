/** An event as RapidBin stores it; `op` is RAPID's number. */
export interface RapidBinEvent {
  thread: number;
  op: number;
  operand: number;
  location: number;
}

/** The bytes of a RapidBin file, with a header that counts what the events use. */
export function rapidBin(events: readonly RapidBinEvent[]): Uint8Array {
  const distinct = (numbers: number[]) => new Set(numbers).size;
  const bytes = Buffer.alloc(18 + 8 * events.length);
  bytes.writeInt16BE(distinct(events.map(({ thread }) => thread)), 0);
  bytes.writeInt32BE(distinct(events.filter(({ op }) => op < 2).map(({ operand }) => operand)), 2);
  bytes.writeInt32BE(
    distinct(events.filter(({ op }) => op === 2 || op === 3).map(({ operand }) => operand)),
    6,
  );
  bytes.writeBigInt64BE(BigInt(events.length), 10);
  for (const [i, { thread, op, operand, location }] of events.entries()) {
    const packed =
      (BigInt(location) << 48n) | (BigInt(operand) << 14n) | (BigInt(op) << 10n) | BigInt(thread);
    bytes.writeBigInt64BE(packed, 18 + 8 * i);
  }
  return new Uint8Array(bytes);
}
