import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Activation, CALLBACK } from '../core/activation.ts';
import { nearestOpen } from '../core/ancestry.ts';
import { Given } from '../support/given.ts';
import type { AsyncContext } from './async-context.ts';

/*
 * Which request a task works for, so that reports can call it `POST /orders #2`. Node says on a channel of its own when a
 * request has come in, before it calls any listener; so nothing of the program changes, and whatever framework stands
 * between Node and the handler, it is the same.
 */

/** Published by node:http and node:https. */
const START = 'http.server.request.start';
const FINISH = 'http.server.response.finish';

/** Longer paths are cut: they are for people. */
const LONGEST_PATH = 60;

/** Parts of a path that may be secret, or say nothing to people: tokens, hashes, UUIDs. */
const OPAQUE = /^(?=.*\d)[\w.~%-]{16,}$/;

/** A request that has come in. */
export class IncomingRequest {
  /** The first call that it led to: the handler, or what runs it. */
  handler: Activation | null = null;
  /** Whether the task of that has its name; it may go on in another one. */
  isTaken = false;
  /** Its title with its number, once a task has been named by it. */
  name: string | null = null;
  /** How many tasks of each kind are named by it; null as long as none is. */
  counts: Map<string, number> | null = null;
  /** What was running where the server was set up or, on a connection that is kept, for the request before this one. */
  registeredIn: Activation | null;
  /** The call of another process that is watched, if it is one. */
  readonly call: string | null;
  #message: object | null;
  /** What the title is made of, once the message is let go. */
  #parts: TitleParts | null = null;

  constructor(message: object, registeredIn: Activation | null, call: string | null) {
    this.#message = message;
    this.registeredIn = registeredIn;
    this.call = call;
  }

  /** `POST /orders`; of a route with parameters, `GET /orders/:id`, if the framework has put that onto the request. */
  takeTitle(): string {
    this.letGo();
    const { method, baseUrl, pattern, url } = this.#parts ?? NOTHING;
    this.#parts = null;
    if (pattern !== null) return `${method ?? 'request'} ${shortened((baseUrl ?? '') + pattern)}`;
    const path = (url ?? '').replace(/[?#].*$/, '').split('/');
    return `${method ?? 'request'} ${shortened(path.map((part) => (OPAQUE.test(part) ? '…' : part)).join('/'))}`;
  }

  /** All that is to be known of the message is there: nobody keeps that, and the connection with it, any longer. */
  letGo(): void {
    const message = this.#message;
    if (message === null) return;
    this.#message = null;
    const route = ownValue(message, 'route');
    this.#parts = {
      method: ownText(message, 'method'),
      baseUrl: ownText(message, 'baseUrl'),
      pattern: typeof route === 'object' && route !== null ? ownText(route, 'path') : null,
      // Express takes a part of it away while a router of its own looks for a handler.
      url: ownText(message, 'originalUrl') ?? ownText(message, 'url'),
    };
  }
}

interface TitleParts {
  readonly method: string | null;
  readonly baseUrl: string | null;
  readonly pattern: string | null;
  readonly url: string | null;
}

const NOTHING: TitleParts = { method: null, baseUrl: null, pattern: null, url: null };

/**
 * What goes along with whatever is registered with the event loop: the activation that did so or, until the program does
 * anything for it, the request that has come in. One store for both, as each one costs something at every asynchronous step.
 */
export type Registered = Activation | IncomingRequest | null;

/** What a framework has put onto an object; none of its code runs. */
function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

function ownText(object: object, key: string): string | null {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : null;
}

function shortened(path: string): string {
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH - 1)}…` : path;
}

/** What is known of a message, as in `stamp.ts`: a WeakMap takes longer. */
class Known extends Given {
  readonly #incoming: IncomingRequest;

  constructor(message: object, incoming: IncomingRequest) {
    super(message);
    this.#incoming = incoming;
  }

  static find(message: object): IncomingRequest | null {
    return #incoming in message ? (message as Known).#incoming : null;
  }
}

/** Until the function that it returns is called. `callOf` tells which call of another process a request is. */
export function followRequests(
  context: AsyncContext<Registered>,
  callOf: (message: object) => string | null,
): () => void {
  const begin = (message: unknown) => {
    const request = requestIn(message);
    if (request === null || Known.find(request) !== null) return;
    const before = registeredIn(context.getStore());
    letGoBefore(before);
    const incoming = new IncomingRequest(request, before, callOf(request));
    new Known(request, incoming);
    context.enterWith(incoming);
  };
  const finish = (message: unknown) => {
    const request = requestIn(message);
    if (request !== null) Known.find(request)?.letGo();
  };
  subscribe(START, begin);
  subscribe(FINISH, finish);
  return () => {
    unsubscribe(START, begin);
    unsubscribe(FINISH, finish);
  };
}

function requestIn(message: unknown): object | null {
  const request = (message as { request?: unknown } | null)?.request;
  return typeof request === 'object' ? request : null;
}

/** A connection is not to keep all requests that ever came on it: the one before the last is answered, and needs nobody any more. */
function letGoBefore(before: Activation | null): void {
  const last = requestOf(requestOf(before)?.registeredIn ?? null);
  if (last !== null) last.registeredIn = nearestOpen(last.registeredIn);
}

/** Where a callback was registered, in the place of which there may be a request. */
export function registeredIn(store: Registered | undefined): Activation | null {
  return store instanceof IncomingRequest ? store.registeredIn : (store ?? null);
}

/** What a callback of the event loop works for. */
export function requestFor(store: Registered | undefined): object | null {
  return store instanceof IncomingRequest ? store : (store?.request ?? null);
}

/** The program makes a call; the first one that a request leads to handles it. */
export function noteHandler(activation: Activation, caller: Activation): void {
  if (caller.kind === CALLBACK && caller.request !== null)
    (caller.request as IncomingRequest).handler ??= activation;
}

/** The request that led to an activation, as far as that is known. */
export function requestOf(activation: Activation | null): IncomingRequest | null {
  return (activation?.request ?? null) as IncomingRequest | null;
}
