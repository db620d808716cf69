/*
 * Callbacks: which functions go on in functions that they give to others (`get(k, (error, v) => set(k, v + 1, done))`), and in
 * which of those. Only what is going to be called later, and once, counts. A listener or a handler of requests is
 * called again and again, each time for something new: it is a function of its own.
 */

import {
  type CallExpression,
  type FunctionNode,
  forEachChild,
  isFunction,
  isGlobal,
  isWithBody,
  type Node,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import { CalledAtOnce } from './called-at-once.ts';
import { registersHandlers } from './handler-names.ts';
import { makesPromise } from './promising.ts';

/** What calls the function at once, or for each of something. */
const AT_ONCE: ReadonlySet<string> = new Set([
  ...[
    'every',
    'filter',
    'find',
    'findIndex',
    'findLast',
    'findLastIndex',
    'flatMap',
    'forEach',
    'map',
    'some',
  ],
  ...['reduce', 'reduceRight', 'sort', 'toSorted', 'replace', 'replaceAll', 'from', 'fromAsync', 'groupBy'],
  ...['sortBy', 'keyBy', 'mapValues', 'mapKeys', 'pickBy', 'omitBy', 'partition', 'uniqBy', 'times', 'tap'],
  // Those of this package.
  ...['atomic', 'lock'],
  // Those of compilers.
  ...['__awaiter', '__generator', '__async', '__commonJS', '__esm', '_asyncToGenerator'],
  ...['stringify', 'parse', 'defineProperty', 'defineProperties', 'create', 'assign', 'freeze', 'require'],
  ...[
    'then',
    'catch',
    'finally',
    'deepEqual',
    'equal',
    'throws',
    'doesNotThrow',
    'rejects',
    'expect',
    'assert',
  ],
]);

/** What keeps the function, to be called for whatever comes, or gives it up; besides what handlers are registered by (handler-names.ts). */
const KEEPING: ReadonlySet<string> = new Set([
  ...['prependListener', 'addEventListener', 'watch', 'watchFile', 'observe', 'setInterval'],
  ...['off', 'removeListener', 'removeEventListener', 'unsubscribe', 'unwatch', 'unwatchFile', 'unobserve'],
  ...['route', 'param', 'register', 'command', 'action', 'handle', 'define', 'provide', 'plugin', 'decorate'],
  ...['hook', 'intercept', 'process', 'subscribe', 'queue', 'cargo', 'Proxy', 'createElement', 'useEffect'],
  ...['debounce', 'throttle', 'memoize', 'memoise', 'curry', 'partial', 'bind', 'wrap', 'promisify'],
  ...['callbackify', 'describe', 'context', 'suite', 'specify', 'before', 'after', 'beforeEach', 'afterEach'],
  ...['beforeAll', 'afterAll'],
]);

/** Events that come once: of what was read or written, and of what lives on. */
const LAST_OF_STREAM: ReadonlySet<unknown> = new Set(['end', 'finish', 'response']);
const LAST_OF_ALL: ReadonlySet<unknown> = new Set(['exit', 'close']);

/** Fills in `isContinuing` of functions, and `isContinuation` of what they give away. */
export function markContinuations(program: Program): void {
  new Marking(new CalledAtOnce(program)).look(program, null);
}

/**
 * The function that goes on if something is given away; `OTHER` for one that is a block by other means, to which its callbacks
 * belong; null in a module.
 */
type Around = FunctionNode | typeof OTHER | null;
const OTHER = 'other';

class Marking {
  readonly #calledAtOnce: CalledAtOnce;

  constructor(calledAtOnce: CalledAtOnce) {
    this.#calledAtOnce = calledAtOnce;
  }

  look(node: Node, around: Around): void {
    if (node.type === 'NewExpression' && isGlobal(unwrap(node.callee), 'Promise')) {
      // Who makes the promise goes on when it is settled.
      for (const argument of node.arguments) this.#within(unwrap(argument), OTHER);
    } else if (node.type === 'CallExpression') this.#call(node, around);
    else if (isFunction(node)) this.#function(node);
    else this.#within(node, around);
  }

  #within(node: Node, around: Around): void {
    forEachChild(node, (child) => this.look(child, around));
  }

  #function(node: FunctionNode): void {
    const isPlain = !node.async && !node.generator && !node.isSetterOrConstructor;
    this.#within(node, isPlain && isWithBody(node) && !makesPromise(node) ? node : OTHER);
  }

  #call(node: CallExpression, around: Around): void {
    const callee = unwrap(node.callee);
    // A function that is called where it is written is part of what is around it.
    if (isFunction(callee)) this.#within(callee, around);
    else this.look(node.callee, around);
    const name = nameOf(callee);
    const spread = node.arguments.findIndex(({ type }) => type === 'SpreadElement');
    for (const [i, argument] of node.arguments.entries()) {
      const inner = unwrap(argument);
      const isPart = isFunction(inner) && !inner.async && !inner.generator;
      const isAtOnce =
        AT_ONCE.has(name) || (isPart && (spread < 0 || i < spread) && this.#calledAtOnce.has(callee, i));
      const isGiven = around !== null && !isAtOnce && isGivenAway(node, callee, name, inner);
      if (isGiven && around !== OTHER) {
        around.isContinuing = true;
        inner.isContinuation = true;
      }
      if (around !== null && isPart && (isGiven || isAtOnce)) this.#within(inner, around);
      else this.look(argument, around);
    }
  }
}

function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name;
  // `(0, module.f)(x)`, as compilers write a call without `this`.
  if (callee.type === 'SequenceExpression') return nameOf(unwrap(callee.expressions.at(-1)!));
  return callee.type === 'MemberExpression' ? (staticKey(callee) ?? '') : '';
}

/** Whether the argument is a function that the call takes to be called once, later. */
function isGivenAway(node: CallExpression, callee: Node, name: string, argument: Node): boolean {
  const isLiteral = isFunction(argument) && !argument.generator;
  if (!isLiteral && !isNamedFunction(argument) && !isBound(argument)) return false;
  if (name === 'on' || name === 'addListener') return isLiteral && isLastEvent(node, callee);
  // Who takes a listener away again has to name it.
  if (name === 'once') return isLiteral && node.arguments.length > 1;
  return !KEEPING.has(name) && !registersHandlers(node);
}

/** Whether it listens for the end of something that the function around deals with, and nobody else. */
function isLastEvent({ arguments: [first] }: CallExpression, callee: Node): boolean {
  const event = first?.type === 'Literal' ? first.value : undefined;
  if (!LAST_OF_STREAM.has(event) && !LAST_OF_ALL.has(event)) return false;
  let owner = callee;
  while (owner.type === 'MemberExpression') owner = unwrap(owner.object);
  // What a call has just given: `http.get(url).on('response', …)`.
  if (owner.type !== 'Identifier') return owner.type !== 'ThisExpression';
  if (owner.binding === undefined || owner.binding.scope.home.kind === 'module') return false;
  // A connection that a function was given lasts longer than what it does.
  return owner.binding.kind !== 'param' || LAST_OF_STREAM.has(event);
}

/** `function onRead(error, data) {…}`, given away by its name. */
function isNamedFunction(node: Node): boolean {
  return node.type === 'Identifier' && node.binding?.kind === 'function';
}

/** `this.onRead.bind(this)`. */
function isBound(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(unwrap(node.callee)) === 'bind';
}
