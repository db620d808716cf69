import type { Random } from '../support/random-traces.ts';

/** Pieces that mean something to some format, or are known to upset readers. */
const COMMON_TOKENS: readonly (string | Uint8Array)[] = [
  ...[
    '|',
    '(',
    ')',
    ',',
    '"',
    '""',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\t',
    '@',
    '@ ',
    '()',
    ')|',
    '|(',
    '\0',
    '\x1b[31m',
  ],
  ...[
    '__proto__',
    'constructor',
    '😀',
    '\ufeff',
    '0',
    '-1',
    '007',
    '2147483647',
    '4294967296',
    '9'.repeat(40),
  ],
  ...[
    'r',
    'w(',
    'acq(l)',
    'rel(l)',
    'begin',
    'end',
    'fork(',
    'join(T1)',
    'u(x)',
    'T0|r(x)|1',
    '\nT0|w(x)\n',
    '|begin|',
  ],
  ...[
    'Rd(',
    '@  Acquire(2,@03)',
    '@ Enter(0,a.b()V) from null',
    '\n@   ',
    'Exit(',
    'start(T1)',
    '\n,r(x),\n',
    'enter(a)',
  ],
  Uint8Array.of(0xff),
  Uint8Array.of(0xc3, 0x28),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  Uint8Array.of(0x7f, 0xff, 0xff, 0xff),
  Uint8Array.of(0x80, 0, 0, 0),
  new Uint8Array(8),
  new Uint8Array(18),
];

const TOKENS = COMMON_TOKENS.map((token) => (typeof token === 'string' ? Buffer.from(token) : token));

const LONGEST = 4096;

/** One to six changes to an input; `others` are inputs to take pieces from. */
export function mutate(input: Uint8Array, others: readonly Uint8Array[], random: Random): Uint8Array {
  let bytes = input;
  for (let changes = random.between(1, random.oneIn(4) ? 6 : 2); changes > 0; changes--) {
    bytes = change(bytes, others, random);
    if (bytes.length > LONGEST) bytes = bytes.subarray(0, LONGEST);
  }
  return bytes;
}

function change(bytes: Uint8Array, others: readonly Uint8Array[], random: Random): Uint8Array {
  // Headers, marks and first rows stand at the start.
  const at = random.oneIn(8) ? 0 : random.below(bytes.length + 1);
  const length = Math.min(random.oneIn(3) ? random.below(64) : random.below(5) + 1, bytes.length - at);
  const end = at + length;
  switch (random.below(10)) {
    case 0: // flip a bit
      return replace(bytes, at, at + 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
    case 1: // another byte
      return replace(bytes, at, at + 1, Uint8Array.of(random.below(256)));
    case 2: // one more or one less, as counts and lengths are off
      return replace(bytes, at, at + 1, Uint8Array.of((bytes[at] ?? 0) + (random.oneIn(2) ? 1 : 255)));
    case 3:
      return replace(bytes, at, end, new Uint8Array(0));
    case 4: // say it twice
      return replace(bytes, at, at, bytes.slice(at, end));
    case 5: // cut the end off
      return bytes.slice(0, at);
    case 6: {
      // go on as another input does
      const other = others[random.below(others.length)];
      return replace(bytes, at, bytes.length, other.slice(random.below(other.length + 1)));
    }
    case 7: {
      // a piece of another input, in between
      const other = others[random.below(others.length)];
      const from = random.below(other.length + 1);
      return replace(bytes, at, at, other.slice(from, from + random.below(40)));
    }
    case 8: // a token instead of what was there
      return replace(bytes, at, end, TOKENS[random.below(TOKENS.length)]);
    default:
      return replace(bytes, at, at, TOKENS[random.below(TOKENS.length)]);
  }
}

function replace(bytes: Uint8Array, start: number, end: number, by: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), by, bytes.subarray(Math.min(end, bytes.length))]);
}
