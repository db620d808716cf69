// Traces that are small and hard: the cost of each grows with a number `k`, of blocks that are open at once, of locks that
// are held, of threads at a barrier. `write(shape, k, path)` writes one as STD.
import { closeSync, openSync, writeSync } from 'node:fs';

const range = (count) => Array.from({ length: count }, (_, i) => i);

/** Each gives the lines of a trace. */
const SHAPES = {
  // Blocks that stay open, each of which comes after all before it, by one lock.
  *openblocks(k) {
    for (const i of range(k)) yield* [`T${i}|begin(b)`, `T${i}|acq(l)`, `T${i}|w(x)`, `T${i}|rel(l)`];
  },
  // Requests that each leave a child behind which nobody joins.
  *leftbehind(k) {
    for (const i of range(k))
      yield* [
        `M|fork(R${i})`,
        `R${i}|begin(handle)`,
        `R${i}|r(x)`,
        `R${i}|fork(C${i})`,
        `R${i}|end(handle)`,
        `C${i}|begin(bg)`,
        `C${i}|w(x)`,
        `C${i}|end(bg)`,
      ];
  },
  // A block that lasts, and in it callbacks that each register the next one and read what others read, too.
  *forkchain(k) {
    yield* ['T0|begin(b)', 'T0|w(x)'];
    for (const i of range(k)) yield* [`T${i}|fork(T${i + 1})`, `T${i + 1}|r(y)`];
  },
  // A block that leaves behind children in blocks that stay open, and then comes after all of them.
  *children(k) {
    yield* ['T0|begin(b)', 'T0|w(x)'];
    for (const i of range(k)) yield* [`T0|fork(C${i})`, `C${i}|begin(c)`, `C${i}|u(x)`];
    yield 'T0|r(x)';
  },
  // Open blocks that read what one thread writes, in rounds.
  *readers(k) {
    for (const i of range(k)) yield `T${i}|begin(b)`;
    for (const r of range(20)) {
      for (const i of range(k)) yield `T${i}|r(x${r % 3})`;
      yield `W|w(x${r % 3})`;
    }
  },
  // Open blocks, a thread outside blocks that comes after all of them, and others that come after that one.
  *middle(k) {
    for (const i of range(k)) yield* [`T${i}|begin(b)`, `T${i}|w(A${i})`];
    for (const r of range(100 * k)) yield* [`M|r(A${r % k})`, `M|w(Z${r % 97})`, `N${r % k}|r(Z${r % 97})`];
  },
  // Nested blocks, all violated at once.
  *nested(k) {
    for (const _ of range(k)) yield 'A|begin(b)';
    yield* ['A|w(x)', 'B|w(x)', 'A|w(x)'];
    for (const _ of range(k)) yield 'A|end(b)';
  },
  // Locks taken one in the other, and let go one after the other.
  *lockstair(k) {
    for (const i of range(k)) yield* [`A|acq(l${i})`, 'A|w(v)'];
    for (const i of range(k).reverse()) yield* [`A|rel(l${i})`, 'A|w(v)'];
    for (const i of range(k)) yield* [`B|acq(l${i})`, 'B|w(v)'];
  },
  // The same in blocks, with locks that are let go in the order in which they were taken.
  *lockqueue(k) {
    for (const t of ['A', 'B']) {
      yield `${t}|begin(s)`;
      for (const i of range(k)) yield* [`${t}|acq(l${i})`, `${t}|w(v)`];
      for (const i of range(k)) yield* [`${t}|rel(l${i})`, `${t}|w(v)`];
      yield `${t}|end(s)`;
    }
  },
  // Open blocks that all conflict with each other, in no order.
  *dense(k) {
    let s = 12345;
    const random = (below) => {
      s = (s * 1103515245 + 12345) & 0x7fffffff;
      return Math.floor((s / 0x80000000) * below);
    };
    for (const i of range(k)) yield `T${i}|begin(b)`;
    for (const _ of range(100 * k)) yield `T${random(k)}|${random(2) === 0 ? 'w' : 'r'}(V${random(k)})`;
  },
  // Sends in nested blocks, each of which ends all of them where forks and messages are boundaries.
  *sends(k) {
    for (const _ of range(k)) yield 'A|begin(b)';
    for (const i of range(1000)) yield* [`A|send(m)`, `A|w(v${i % 10})`];
  },
  // Rounds of a barrier in blocks that stay open.
  *barrier(k) {
    for (const i of range(k)) yield `T${i}|begin(b)`;
    for (const _ of range(20)) {
      for (const i of range(k)) yield `T${i}|arrive(B)`;
      for (const i of range(k)) yield `T${i}|leave(B)`;
    }
  },
  // What many send, and as many receive, who all learn what those knew that have sent it.
  *messages(k) {
    for (const i of range(k)) yield `T${i}|send(m)`;
    for (const r of range(50 * k)) yield* [`R${r % k}|receive(m)`, `T${r % k}|send(m)`];
  },
  // Blocks that are violated, each with a label and a variable of its own.
  *losses(k) {
    for (const i of range(k))
      yield* [`A|begin(b${i})`, `A|r(x${i})`, `B|w(x${i})`, `A|w(x${i})`, `A|end(b${i})`];
  },
  // Nested blocks, each violated by a variable of its own when it is about to end.
  *depths(k) {
    for (const i of range(k)) yield* [`A|begin(b${i})`, `A|w(x${i})`, `B|w(x${i})`];
    for (const i of range(k).reverse()) yield* [`A|r(x${i})`, `A|end(b${i})`];
  },
  // A block, and another thread that follows it to `k` variables: what explaining may have to remember.
  *reach(k) {
    yield* ['A|begin(m)', 'A|w(x)', 'B|r(x)'];
    for (const i of range(k)) yield `B|w(v${i})`;
    yield `A|r(v${k - 1})`;
  },
  // Long blocks with nothing worse than a warning in them.
  *warnings(k) {
    let s = 7;
    const random = (below) => {
      s = (s * 1103515245 + 12345) & 0x7fffffff;
      return Math.floor((s / 0x80000000) * below);
    };
    for (const i of range(k)) yield `T${i}|begin(b${i})`;
    for (const _ of range(100 * k)) yield `T${random(k)}|w(V${random(10)})`;
  },
  // A cycle that goes backwards in time through `k` transactions.
  *backwards(k) {
    for (const i of range(k)) yield `T${i}|begin(b${i})`;
    for (const i of range(k - 1).reverse()) yield* [`T${i}|w(x${i})`, `T${i + 1}|r(x${i})`];
    yield* [`T${k - 1}|w(y)`, 'T0|r(y)'];
  },
};

export function write(shape, k, path) {
  const file = openSync(path, 'w');
  let pending = [];
  for (const line of SHAPES[shape](k)) {
    pending.push(line);
    if (pending.length < 20_000) continue;
    writeSync(file, `${pending.join('\n')}\n`);
    pending = [];
  }
  writeSync(file, `${pending.join('\n')}\n`);
  closeSync(file);
}
