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

/** What keeps the function, to be called for whatever comes. */
const AGAIN_AND_AGAIN: ReadonlySet<string> = new Set([
  ...[
    'on',
    'addListener',
    'prependListener',
    'addEventListener',
    'subscribe',
    'watch',
    'watchFile',
    'observe',
  ],
  ...['setInterval', 'use', 'route', 'param', 'createServer', 'createSecureServer', 'register', 'command'],
  ...[
    'action',
    'handle',
    'process',
    'define',
    'provide',
    'plugin',
    'decorate',
    'hook',
    'addHook',
    'intercept',
  ],
  ...[
    'debounce',
    'throttle',
    'memoize',
    'memoise',
    'curry',
    'partial',
    'bind',
    'wrap',
    'promisify',
    'callbackify',
  ],
  ...['describe', 'context', 'suite', 'it', 'test', 'specify', 'before', 'after', 'beforeEach', 'afterEach'],
  ...['beforeAll', 'afterAll', 'queue', 'cargo', 'Worker', 'Proxy', 'createElement', 'useEffect'],
]);

/** Events that come once, for what the function around waits for. */
const LAST_EVENTS: ReadonlySet<unknown> = new Set(['end', 'finish', 'response', 'exit', 'close']);

/** What lives as long as the program. */
const LASTING = /^(?:process|server|app|wss|io|httpServer)$/;

/** How handlers of requests, connections and messages call what they get. */
const FOR_EACH = /^_?(?:req|request|ctx|context|socket|ws|conn|connection|client|job|message|msg)$/;

/** Fills in `isContinuing` of functions, and `isContinuation` of what they give away. */
export function markContinuations(program: Program): void {
  new Marking().look(program, null);
}

/**
 * The function that goes on if something is given away; `OTHER` for one that is a block by other means, to which its callbacks
 * belong; null in a module.
 */
type Around = FunctionNode | typeof OTHER | null;
const OTHER = 'other';

class Marking {
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
    for (const argument of node.arguments) {
      const inner = unwrap(argument);
      const isPart = isFunction(inner) && !inner.async && !inner.generator;
      const isGiven = around !== null && isGivenAway(node, callee, name, inner);
      if (isGiven && around !== OTHER) {
        around.isContinuing = true;
        inner.isContinuation = true;
      }
      if (around !== null && isPart && (isGiven || AT_ONCE.has(name))) this.#within(inner, around);
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
  // What compilers make of async functions begins with underscores.
  if (AT_ONCE.has(name) || /^__|^_asyncTo/.test(name)) return false;
  const isLiteral = isFunction(argument) && !argument.generator;
  if (!isLiteral && !isNamedFunction(argument) && !isBound(argument)) return false;
  if (isLiteral && isForEach(argument)) return false;
  const [first] = node.arguments;
  const event = first?.type === 'Literal' ? first.value : undefined;
  if (name === 'on' || name === 'addListener')
    return isLiteral && LAST_EVENTS.has(event) && !LASTING.test(ownerOf(callee));
  // Who takes a listener away again has to name it.
  if (name === 'once') return isLiteral && node.arguments.length > 1;
  return !AGAIN_AND_AGAIN.has(name) && !/^(?:off|remove|un)/.test(name);
}

/** `function onRead(error, data) {…}`, given away by its name. */
function isNamedFunction(node: Node): boolean {
  return node.type === 'Identifier' && node.binding?.kind === 'function';
}

/** `this.onRead.bind(this)`. */
function isBound(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(unwrap(node.callee)) === 'bind';
}

/** Whether it handles requests, connections or messages, as they come. */
function isForEach({ params }: FunctionNode): boolean {
  const [first] = params;
  return first?.type === 'Identifier' && FOR_EACH.test(first.name);
}

function ownerOf(callee: Node): string {
  if (callee.type !== 'MemberExpression') return '';
  const object = unwrap(callee.object);
  return object.type === 'Identifier' ? object.name : nameOf(object);
}
