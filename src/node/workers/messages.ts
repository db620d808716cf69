import { syncBuiltinESMExports } from 'node:module';
import threads, { type BroadcastChannel, type Worker } from 'node:worker_threads';
import { Op } from '../../trace/operation.ts';
import { ChannelRecord } from '../core/channel-record.ts';
import { Endpoint, type EndpointState, newPair } from '../isolates/endpoint.ts';
import { CHANNELS, type Region } from '../isolates/region.ts';
import type { Runtime } from '../runtime/index.ts';
import { define, standsFor } from '../support/patching.ts';
import { OWN_CHANNEL } from './asking.ts';
import { portsIn } from './ports-in.ts';
import { Waiting } from './waiting.ts';

/** The program's own are replaced. */
const { add, store } = Atomics;

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** The one method of a port through which Node passes every message that has come. */
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch');
/** Meanwhile, the ports that the message has brought. */
const RECEIVING = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts');

/** Follows messages between isolates, and those that go through a `MessageChannel`. */
export class Messages {
  readonly #runtime: Runtime;
  readonly #endpoints = new WeakMap<object, Endpoint>();
  /** Behind a `BroadcastChannel` there is a port, too. Who gets its messages is not known: all that come later. */
  readonly #broadcasts = new WeakMap<object, ChannelRecord>();
  /** Of ports to workers: who emits what comes through them. */
  readonly #workers = new WeakMap<object, Worker>();
  /** Only who waits for one message: listeners for all of them are no part of whoever has set them up. */
  readonly #waiting: Waiting;
  /** How many channels there were before the program had a worker. */
  #channels = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#waiting = new Waiting(runtime.recorder);
  }

  patch(): void {
    const messages = this;
    const port = threads.MessagePort.prototype;
    const dispatch = (port as unknown as Record<symbol, unknown>)[DISPATCH] as Method | undefined;
    if (dispatch === undefined) return;
    const post = port.postMessage as Method;
    replace(port, 'postMessage', {
      postMessage(...values: unknown[]) {
        return messages.#send(this, values, () => Reflect.apply(post, this, values));
      },
    });
    replace(port, DISPATCH, {
      [DISPATCH](data: unknown, type: unknown, event: unknown) {
        const run = () => Reflect.apply(dispatch, this, [data, type, event]);
        // With an event it is the program that dispatches it.
        if (event !== undefined || (type !== 'message' && type !== 'messageerror')) return run();
        return messages.#deliver(this, run);
      },
    });
    const receive = threads.receiveMessageOnPort as Method;
    replace(threads, 'receiveMessageOnPort', {
      receiveMessageOnPort(...values: unknown[]) {
        const received = Reflect.apply(receive, this, values);
        if (received !== undefined) messages.#fetched(values[0] as object, received);
        return received;
      },
    });
    for (const emitter of [port, threads.Worker.prototype]) this.#waiting.watch(emitter, ['once'], 'message');
    for (const holder of [threads, globalThis]) {
      watch(holder, 'MessageChannel', ({ port1, port2 }: { port1: object; port2: object }) => {
        const [end1, end2] = newPair(this.newChannel());
        this.#endpoints.set(port1, end1).set(port2, end2);
      });
      watch(holder, 'BroadcastChannel', (channel: BroadcastChannel) => this.#followBroadcast(channel));
    }
    syncBuiltinESMExports();
  }

  /** The program gets its first worker. */
  connect(region: Region): void {
    store(region.header, CHANNELS, this.#channels);
  }

  /** A number for a channel. */
  newChannel(): number {
    const isolate = this.#runtime.recorder.tasks.isolate;
    return isolate === null ? ++this.#channels : add(isolate.region.header, CHANNELS, 1) + 1;
  }

  /** Messages to and from a worker that this isolate has made. */
  followWorker(worker: Worker, name: string, channel: number): void {
    const port = hidden(worker, 'kPublicPort');
    if (port === null) return;
    this.#follow(port, 0, name, channel);
    this.#workers.set(port, worker);
  }

  /** Messages to and from who made this worker. */
  followParent(name: string, channel: number): void {
    if (threads.parentPort !== null) this.#follow(threads.parentPort, 1, name, channel);
  }

  #follow(port: object, side: number, name: string, channel: number): void {
    const state = { channel, side, sent: 0, received: 0, loggedFrom: 0 };
    this.#endpoints.set(port, new Endpoint(state, name));
  }

  /** The ports that go to a worker with its data leave this isolate. */
  leavingIn(data: unknown): (EndpointState | null)[] {
    return portsIn(data).map((port) => this.#leaving(port));
  }

  /** They have come to this one. */
  arrivedIn(data: unknown, states: readonly (EndpointState | null)[]): void {
    for (const [i, port] of portsIn(data).entries()) this.#arrived(port, states[i]);
  }

  #followBroadcast(channel: BroadcastChannel): void {
    const handle = channel.name === OWN_CHANNEL ? null : hidden(channel, 'kHandle');
    if (handle === null) return;
    const record = new ChannelRecord(`to BroadcastChannel ${channel.name}`);
    // Messages are posted and come by way of its port, and are fetched from the channel itself.
    this.#broadcasts.set(handle, record).set(channel, record);
  }

  #send(port: object, values: readonly unknown[], run: () => unknown): unknown {
    const { recorder } = this.#runtime;
    const broadcast = this.#broadcasts.get(port);
    if (broadcast !== undefined) recorder.messages.send(broadcast, this.#runtime.callSite());
    const endpoint = this.#endpoints.get(port);
    if (endpoint === undefined) return run();
    const { isolate } = recorder.tasks;
    const transferred = isolate === null ? [] : transferredPorts(values[1]);
    const number = endpoint.sent;
    if (isolate !== null) {
      endpoint.logSent();
      recorder.messages.send(endpoint.outgoing, this.#runtime.callSite());
      for (const [i, other] of transferred.entries()) {
        const state = this.#endpoints.get(other)?.state();
        if (state !== undefined) isolate.region.handovers.put(endpoint.key, number, i, state);
      }
      isolate.publish();
    }
    endpoint.sent++;
    try {
      const result = run();
      for (const other of transferred) this.#leaving(other);
      return result;
    } catch (error) {
      // It cannot be sent, and its number is that of the next one.
      endpoint.sent--;
      isolate?.region.handovers.take(endpoint.key, number);
      throw error;
    }
  }

  /** A message has come, and Node is about to call whoever listens. */
  #deliver(port: object, run: () => unknown): unknown {
    const { recorder } = this.#runtime;
    const ports: unknown = Reflect.get(port, RECEIVING);
    const channel = this.#incoming(port, Array.isArray(ports) ? ports : []);
    if (channel === null || recorder.tasks.isolate === null) return run();
    const waiting = this.#waiting.take(this.#workers.get(port) ?? port);
    return recorder.messages.deliver('message', { op: Op.receive, subject: channel }, waiting, run);
  }

  /** The program has fetched a message from a port. */
  #fetched(port: object, received: unknown): void {
    const channel = this.#incoming(port, portsIn(received));
    if (channel !== null && this.#runtime.recorder.tasks.isolate !== null)
      this.#runtime.recorder.messages.receive(channel, this.#runtime.callSite());
  }

  #incoming(port: object, ports: readonly object[]): ChannelRecord | null {
    const endpoint = this.#endpoints.get(port);
    if (endpoint === undefined) return this.#broadcasts.get(port) ?? null;
    const isolate = this.#runtime.recorder.tasks.isolate;
    const channel = endpoint.incoming;
    const number = endpoint.received++;
    if (ports.length > 0 && isolate !== null) {
      const states = isolate.region.handovers.take(endpoint.otherKey, number);
      for (const [i, arrived] of ports.entries()) this.#arrived(arrived, states.get(i) ?? null);
    }
    return channel;
  }

  #leaving(port: object): EndpointState | null {
    const endpoint = this.#endpoints.get(port);
    if (endpoint === undefined) return null;
    this.#endpoints.delete(port);
    const state = endpoint.state();
    endpoint.leave();
    return state;
  }

  #arrived(port: object, state: EndpointState | null): void {
    if (state !== null) this.#endpoints.set(port, new Endpoint(state));
  }
}

/** Of the second argument of `postMessage`: the ports in the order in which they arrive. */
function transferredPorts(given: unknown): object[] {
  const list = Array.isArray(given) ? given : (given as { transfer?: unknown } | null)?.transfer;
  return Array.isArray(list) ? list.filter((each) => each instanceof threads.MessagePort) : [];
}

/** What Node keeps under a symbol of this name. */
function hidden(object: object, name: string): object | null {
  const key = Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
  const value: unknown = key === undefined ? null : Reflect.get(object, key);
  return typeof value === 'object' ? value : null;
}

/** Replaces a method by the one of the same name of `by`. */
function replace(object: object, key: PropertyKey, by: object): void {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  standsFor(Reflect.get(by, key), Reflect.get(object, key));
  define(object, key, {
    configurable: true,
    writable: true,
    enumerable: false,
    ...descriptor,
    value: Reflect.get(by, key),
  });
}

/** Calls `seen` for everything that a class makes. */
function watch<T>(holder: object, key: string, seen: (made: T) => void): void {
  const Class: unknown = Reflect.get(holder, key);
  if (typeof Class !== 'function') return;
  const patched: unknown = new Proxy(Class, {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget === patched ? target : newTarget);
      seen(made);
      return made;
    },
  });
  standsFor(patched as object, Class);
  define(holder, key, {
    ...Object.getOwnPropertyDescriptor(holder, key),
    value: patched,
  });
}
