/*
 * Names of handlers that have none of their own: the call that registers one says what calls it, as in
 * `app.post('/orders', async (request) => …)`. The table goes by the shape of the call, which frameworks share.
 */

import {
  type CallExpression,
  type FunctionNode,
  isFunction,
  type NewExpression,
  type Node,
  type NodeOf,
  staticKey,
  unwrap,
} from './ast.ts';
import type { Binding } from './scope.ts';

/** What is known of a call that registers a handler. */
interface Registration {
  /** The method or the class that is called. */
  readonly callee: string;
  /** The strings that the arguments begin with. */
  readonly texts: readonly string[];
  /** The path of `app.route(path)` in front of the method, if there is one. */
  readonly path: string | null;
  /** What the method is called on, if that is a name: `net` for `net.createServer`. */
  readonly object: string;
  /** What the result of the call is called. */
  readonly given: string | undefined;
  /** Whether that is what a listener for connections was given. */
  readonly isSocket: boolean;
}

interface HandlerRow {
  /** Who registers handlers so. */
  readonly used: string;
  readonly callees: readonly string[];
  /** Whether what is given is called once, and is no handler of whatever comes. */
  readonly isCalledOnce?: true;
  /** Null where the call is something else after all. */
  readonly name: (call: Registration) => string | null;
}

const isPath = (text: string | undefined) => text !== undefined && /^(?:\/|\*|$)/.test(text);
const quoted = (what: string, { texts }: Registration) =>
  texts.length === 0 ? null : `${what} '${shortened(texts[0])}'`;

/** Events that say what came, without any name besides. */
const PLAIN_EVENTS: ReadonlySet<string> = new Set([
  'message',
  'connection',
  'request',
  'data',
  'error',
  'close',
]);

export const HANDLERS: readonly HandlerRow[] = [
  {
    used: 'Express, Fastify, Koa router, Hono, Polka, Restify: `app.post(path, handler)`, `app.route(path).post(handler)`',
    callees: ['get', 'post', 'put', 'patch', 'delete', 'del', 'options', 'head', 'all'],
    name: ({ callee, texts, path }) => {
      // A route may have a name of its own in front of its path.
      const at = texts.slice(0, 2).find(isPath) ?? path;
      if (at === null || at === undefined) return null;
      return `${callee === 'del' ? 'DELETE' : callee.toUpperCase()} ${shortened(at === '' ? '/' : at)}`;
    },
  },
  {
    used: 'Hono: `app.on(method, path, handler)`',
    callees: ['on'],
    name: ({ texts: [method, path] }) =>
      method !== undefined && isPath(path) ? `${method.toUpperCase()} ${shortened(path)}` : null,
  },
  {
    used: 'Express, Koa, Hono: `app.use(middleware)`',
    callees: ['use'],
    name: ({ texts: [path] }) => (isPath(path) ? `middleware ${shortened(path)}` : 'middleware'),
  },
  { used: 'Fastify: `app.addHook(name, hook)`', callees: ['addHook'], name: (call) => quoted('hook', call) },
  {
    used: 'node:http, node:https, node:net: `createServer(listener)`',
    callees: ['createServer', 'createSecureServer'],
    name: ({ object }) => (object === 'net' || object === 'tls' ? 'connection' : 'request'),
  },
  {
    used: 'socket.io, ws, EventEmitter, EventTarget: `emitter.on(event, listener)`',
    callees: ['on', 'once', 'addListener', 'prependListener', 'addEventListener', 'onAny'],
    name: (call) => {
      if (PLAIN_EVENTS.has(call.texts[0])) return call.texts[0];
      return quoted(call.isSocket ? 'message' : 'event', call);
    },
  },
  {
    used: 'Redis, MQTT, NATS, amqplib: `client.subscribe(topic, listener)`, `channel.consume(queue, listener)`',
    callees: ['subscribe', 'pSubscribe', 'consume'],
    name: (call) => quoted('message', call),
  },
  {
    used: 'Bull, Bee-Queue, Agenda, pg-boss, BullMQ: `queue.process(name, job)`, `new Worker(name, job)`',
    callees: ['process', 'define', 'work', 'Worker'],
    name: (call) => quoted('job', call) ?? (call.callee === 'process' ? 'job' : null),
  },
  {
    used: 'tRPC: `{ addOrder: procedure.mutation(resolver) }`',
    callees: ['query', 'mutation', 'subscription'],
    name: ({ callee, given, texts }) =>
      given === undefined || texts.length > 0 ? null : `${callee} '${shortened(given)}'`,
  },
  {
    used: 'p-queue, fastq, async: `queue.add(job)`',
    callees: ['add', 'push', 'addAll'],
    isCalledOnce: true,
    name: ({ texts, object }) => (texts.length === 0 && /queue$/i.test(object) ? `job of ${object}` : null),
  },
  {
    used: 'node-cron: `cron.schedule(expression, task)`',
    callees: ['schedule'],
    name: (call) => quoted('cron', call),
  },
  {
    used: 'Vitest, Jest, Mocha, node:test: `test(title, body)`',
    callees: ['test', 'it'],
    name: (call) => quoted('test', call),
  },
];

const ROWS = new Map<string, HandlerRow[]>();
for (const row of HANDLERS)
  for (const callee of row.callees) ROWS.set(callee, [...(ROWS.get(callee) ?? []), row]);

/** Longer texts are cut: they are for people. */
const LONGEST = 60;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Gives the functions among the arguments of a call the name of what will call them. */
export function nameHandlers(node: CallExpression | NewExpression): void {
  const { callee, arguments: args } = node;
  for (const argument of args) nameInRoute(unwrap(argument));
  const handlers = args.flatMap((argument) => handlersIn(unwrap(argument)));
  if (handlers.length === 0) return;
  const given = node.type === 'CallExpression' ? node.givenName : undefined;
  const name = byTable(unwrap(callee), args, given)?.name ?? null;
  if (name === null) return;
  for (const handler of handlers) {
    handler.handlerName ??= name;
    const [socket] = handler.params;
    if (name === 'connection' && socket?.type === 'Identifier' && socket.binding !== undefined)
      sockets.add(socket.binding);
  }
}

/** Whether what the call is given is called for whatever comes. */
export function registersHandlers({ callee, arguments: args, givenName }: CallExpression): boolean {
  const found = byTable(unwrap(callee), args, givenName);
  return found !== null && found.row.isCalledOnce !== true;
}

/** Functions in an argument: itself, in a list, in what wraps it (`asyncHandler(async () => …)`), in options of a route. */
function handlersIn(argument: Node): FunctionNode[] {
  if (isFunction(argument)) return [argument];
  if (argument.type === 'ArrayExpression')
    return argument.elements.flatMap((element) => (element === null ? [] : handlersIn(unwrap(element))));
  if (argument.type === 'ConditionalExpression')
    return [argument.consequent, argument.alternate].flatMap((branch) => handlersIn(unwrap(branch)));
  if (argument.type === 'LogicalExpression')
    return [argument.left, argument.right].flatMap((side) => handlersIn(unwrap(side)));
  if (argument.type === 'CallExpression' && isWrapper(unwrap(argument.callee)))
    return argument.arguments.map((inner) => unwrap(inner)).filter(isFunction);
  if (argument.type !== 'ObjectExpression') return [];
  return argument.properties.flatMap((property) =>
    property.type === 'Property' && staticKey(property) === 'handler' && isFunction(property.value)
      ? [property.value]
      : [],
  );
}

/** Methods that call a function themselves, and give something else than another one. */
const NO_WRAPPERS = new Set(
  ['map', 'flatMap', 'filter', 'forEach', 'reduce', 'sort', 'find', 'from'].concat(
    'then',
    'catch',
    'finally',
  ),
);

/** `asyncHandler(…)`, `h3.eventHandler(…)`, but not `list.map(…)`. */
function isWrapper(callee: Node): boolean {
  if (callee.type !== 'MemberExpression') return callee.type === 'Identifier';
  return unwrap(callee.object).type === 'Identifier' && !NO_WRAPPERS.has(staticKey(callee) ?? '');
}

/** The parameters of listeners for connections. */
const sockets = new WeakSet<Binding>();

function byTable(
  callee: Node,
  args: readonly Node[],
  given: string | undefined,
): { name: string; row: HandlerRow } | null {
  const method = callee.type === 'MemberExpression' ? staticKey(callee) : undefined;
  const called = method ?? (callee.type === 'Identifier' ? callee.name : '');
  const rows = ROWS.get(called);
  if (rows === undefined) return null;
  const object = callee.type === 'MemberExpression' ? unwrap(callee.object) : null;
  const texts: string[] = [];
  for (const argument of args) {
    const text = textOf(unwrap(argument));
    if (text === null) break;
    texts.push(text);
  }
  const call: Registration = {
    callee: called,
    texts,
    path: object === null ? null : pathOfRoute(object),
    object: object?.type === 'Identifier' ? object.name : '',
    given,
    isSocket: object?.type === 'Identifier' && object.binding !== undefined && sockets.has(object.binding),
  };
  for (const row of rows) {
    const name = row.name(call);
    if (name !== null) return { name, row };
  }
  return null;
}

/** `/orders`, for `app.route('/orders')` and for `app.route('/orders').get(…)`. */
function pathOfRoute(node: Node): string | null {
  let at = node;
  while (at.type === 'CallExpression') {
    const callee = unwrap(at.callee);
    if (callee.type !== 'MemberExpression') return null;
    if (staticKey(callee) === 'route')
      return at.arguments.length === 1 ? textOf(unwrap(at.arguments[0])) : null;
    at = unwrap(callee.object);
  }
  return null;
}

/** `{ method: 'POST', url: '/orders', handler: async () => … }`, as Fastify and hapi take routes. */
function nameInRoute(route: Node): void {
  if (route.type !== 'ObjectExpression') return;
  const values = new Map<string, Node>();
  for (const property of route.properties)
    if (property.type === 'Property') values.set(staticKey(property) ?? '', unwrap(property.value));
  const text = (key: string) => {
    const value = values.get(key);
    return value === undefined ? null : textOf(value);
  };
  const [method, path, handler] = [text('method'), text('url') ?? text('path'), values.get('handler')];
  if (method === null || path === null || handler === undefined || !isFunction(handler)) return;
  handler.handlerName = `${method.toUpperCase()} ${shortened(path)}`;
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal' && 'regex' in node && node.regex) return `/${node.regex.pattern}/`;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  // What is put in is not known here: `/users/…`.
  return (node as NodeOf<'TemplateLiteral'>).quasis.map(({ value }) => value.cooked ?? '').join('…');
}
