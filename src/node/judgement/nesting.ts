/**
 * What is around something, from the inside out: a list that is never changed, and that lists of what is further inside share.
 * Loops that go on by timers make lists as long as the program runs; what two of them share is found in logarithmic time, by
 * pointers that jump (as in Myers' random-access stacks).
 */
export interface Nesting<B> {
  /** Undefined for the outermost, which is around everything. */
  readonly block: B | undefined;
  readonly parent: Nesting<B>;
  readonly jump: Nesting<B>;
  readonly depth: number;
}

/** Around it there is nothing. */
export function outermostNesting<B>(): Nesting<B> {
  const outermost = { block: undefined, depth: 0 } as Nesting<B> & { parent: Nesting<B>; jump: Nesting<B> };
  outermost.parent = outermost;
  outermost.jump = outermost;
  return outermost;
}

export function nestedIn<B>(parent: Nesting<B>, block: B): Nesting<B> {
  const { jump } = parent;
  const isAlike = parent.depth - jump.depth === jump.depth - jump.jump.depth;
  return { block, parent, jump: isAlike ? jump.jump : parent, depth: parent.depth + 1 };
}

/** What is around it at this depth, or it itself. */
export function nestingAt<B>(nesting: Nesting<B>, depth: number): Nesting<B> {
  let at = nesting;
  while (at.depth > depth) at = at.jump.depth >= depth ? at.jump : at.parent;
  return at;
}

/** The innermost that is around both. */
export function commonNesting<B>(one: Nesting<B>, other: Nesting<B>): Nesting<B> {
  let a = nestingAt(one, other.depth);
  let b = nestingAt(other, one.depth);
  while (a !== b) {
    const isApart = a.jump !== b.jump;
    a = isApart ? a.jump : a.parent;
    b = isApart ? b.jump : b.parent;
  }
  return a;
}
