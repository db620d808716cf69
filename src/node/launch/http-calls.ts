import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import type { Runtime } from '../runtime/index.ts';
import { bind } from '../runtime/promises.ts';
import { Patches } from '../support/patching.ts';
import { type ServiceCall, ServiceCalls } from './service-calls.ts';
import { isNear, TRACESTATE, takeCall, withCall } from './tracestate.ts';

/** A request of undici, and of `fetch`, as its channels have it: `headers` are names and values in turn, or a text. */
interface UndiciRequest {
  method?: unknown;
  origin?: unknown;
  path?: unknown;
  headers?: unknown;
  addHeader?: (name: string, value: string) => unknown;
}

/** A call of `fetch` for which no request has been made yet. */
interface Fetched {
  url: string;
  call: ServiceCall;
}

/** So many are remembered: a request need not come of a `fetch`. */
const MOST_FETCHED = 100;

/**
 * Lets requests carry the id of the call that they are, to processes nearby, and finds it in those that come in. Only where several
 * processes are watched: otherwise nothing is sent that the program would not have sent.
 */
export class HttpCalls {
  readonly #calls: ServiceCalls;
  readonly #asked = new WeakMap<object, ServiceCall>();
  readonly #served = new WeakMap<object, string>();
  #fetched: Fetched[] = [];

  constructor(runtime: Runtime) {
    this.#calls = new ServiceCalls(runtime);
    runtime.recorder.evidence.callOf = (message) => this.#callOf(message as IncomingMessage);
  }

  follow(): void {
    const patches = new Patches();
    this.#followMessages(patches);
    this.#followFetch(patches);
    subscribe('http.client.response.finish', (message) => {
      const { request, response } = message as { request: object; response: IncomingMessage };
      const call = this.#asked.get(request);
      if (call === undefined) return;
      this.#calls.answered(call);
      response.once('end', () => this.#calls.ended(call));
    });
    subscribe('undici:request:create', (message) =>
      this.#created((message as { request: UndiciRequest }).request),
    );
    const told = (channel: string, tell: (call: ServiceCall) => void) =>
      subscribe(channel, (message) => {
        const call = this.#asked.get((message as { request: object }).request);
        if (call !== undefined) tell(call);
      });
    told('undici:request:headers', (call) => this.#calls.answered(call));
    told('undici:request:trailers', (call) => this.#calls.ended(call));
  }

  /** What has come in is the call of another process: its id, or null. */
  #callOf(message: IncomingMessage): string | null {
    const { rawHeaders } = message;
    const count = rawHeaders.length;
    const id = takeCall(rawHeaders);
    if (id === null) return null;
    if (rawHeaders.length < count) tellCount(message, count);
    this.#served.set(message, id);
    this.#calls.asked(id);
    return id;
  }

  /** Both requests and answers put their headers together in one place, right before anything is sent. */
  #followMessages(patches: Patches): void {
    const { OutgoingMessage, ClientRequest } = process.getBuiltinModule('node:http');
    const asks = (request: ClientRequest, headers: unknown) => this.#ask(request, headers);
    const servedBy = (answer: object) => this.#served.get((answer as ServerResponse).req ?? answer);
    const calls = this.#calls;
    patches.replace(
      OutgoingMessage.prototype,
      '_storeHeader',
      (original) =>
        function (this: OutgoingMessage, ...values: unknown[]) {
          if (this instanceof ClientRequest) values[1] = asks(this, values[1]);
          else {
            const id = servedBy(this);
            if (id !== undefined) calls.answer(id);
          }
          return Reflect.apply(original, this, values);
        },
    );
    patches.replace(
      OutgoingMessage.prototype,
      'end',
      (original) =>
        function (this: OutgoingMessage, ...values: unknown[]) {
          const id = this instanceof ClientRequest ? undefined : servedBy(this);
          if (id !== undefined && !this.writableEnded) calls.end(id);
          return Reflect.apply(original, this, values);
        },
    );
  }

  /** The headers of a request, with the id of the call. */
  #ask(request: ClientRequest, headers: unknown): unknown {
    if (!isNear(String(request.host ?? '')) || request.hasHeader('upgrade') || request.method === 'CONNECT')
      return headers;
    const call = this.#calls.ask(false);
    if (call === null) return headers;
    this.#asked.set(request, call);
    if (Array.isArray(headers)) return withCallIn(headers, call.id);
    const known = request.getHeader(TRACESTATE);
    const value = withCall(known === undefined ? undefined : String(known), call.id);
    if (headers === null || headers === undefined) return { [TRACESTATE]: value };
    request.setHeader(TRACESTATE, value);
    return headers;
  }

  /** A promise of `fetch` stands for what is done for it elsewhere; the request comes later, in no known order. */
  #followFetch(patches: Patches): void {
    const ask = (input: unknown) => this.#fetch(input);
    patches.replace(
      globalThis,
      'fetch',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const call = ask(values[0]);
          const promise = Reflect.apply(original, this, values);
          if (call?.task) bind(promise, [call.task]);
          return promise;
        },
    );
  }

  #fetch(input: unknown): ServiceCall | null {
    const url = urlOf(input);
    if (url === null || !isNear(url.hostname)) return null;
    const call = this.#calls.ask(true);
    if (call === null) return null;
    if (this.#fetched.length >= MOST_FETCHED) this.#fetched.shift();
    this.#fetched.push({ url: url.origin + url.pathname + url.search, call });
    return call;
  }

  #created(request: UndiciRequest): void {
    const url = urlOf(`${String(request.origin)}${String(request.path)}`);
    if (url === null || !isNear(url.hostname) || request.method === 'CONNECT') return;
    const text = url.origin + url.pathname + url.search;
    const at = this.#fetched.findIndex((fetched) => fetched.url === text);
    const call = at < 0 ? this.#calls.ask(false) : this.#fetched.splice(at, 1)[0].call;
    if (call === null) return;
    this.#asked.set(request, call);
    const { headers } = request;
    const known = Array.isArray(headers) ? headers.findIndex(isTracestate) : -1;
    if (known >= 0)
      (headers as unknown[])[known + 1] = withCall(String((headers as unknown[])[known + 1]), call.id);
    else request.addHeader?.(TRACESTATE, withCall(undefined, call.id));
  }
}

/** Node has counted the headers of a message, and is going to look for as many. */
function tellCount(message: IncomingMessage, before: number): void {
  const { rawHeaders } = message;
  const key = Object.getOwnPropertySymbols(message).find(
    ({ description }) => description === 'kHeadersCount',
  );
  if (key !== undefined && Reflect.get(message, key) === before) Reflect.set(message, key, rawHeaders.length);
  // Where it counts in another way, an empty header stays in the place of what was ours.
  else rawHeaders.push(TRACESTATE, '');
}

function isTracestate(value: unknown, index: number): boolean {
  return index % 2 === 0 && String(value).toLowerCase() === TRACESTATE;
}

/** Pairs, or names and values in turn. */
function withCallIn(headers: readonly unknown[], id: string): unknown[] {
  const arePairs = Array.isArray(headers[0]);
  const names = headers.map((entry, i) => (arePairs ? (entry as unknown[])[0] : i % 2 === 0 ? entry : ''));
  const at = names.findIndex((name) => String(name).toLowerCase() === TRACESTATE);
  const copy = [...headers];
  if (arePairs) {
    const known = at < 0 ? undefined : String((headers[at] as unknown[])[1]);
    copy.splice(at < 0 ? copy.length : at, at < 0 ? 0 : 1, [TRACESTATE, withCall(known, id)]);
  } else {
    const known = at < 0 ? undefined : String(headers[at + 1]);
    copy.splice(at < 0 ? copy.length : at, at < 0 ? 0 : 2, TRACESTATE, withCall(known, id));
  }
  return copy;
}

/** None of the program's code runs but that of its own class of URLs. */
function urlOf(input: unknown): URL | null {
  const text =
    typeof input === 'string' || input instanceof URL
      ? String(input)
      : (input as { url?: unknown } | null)?.url;
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
}
