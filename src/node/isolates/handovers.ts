import type { EndpointState } from './endpoint.ts';

/** The program's own are replaced. */
const { compareExchange, load, store } = Atomics;

/** So many ports can be on their way at a time. */
export const HANDOVERS = 512;
export const HANDOVER_WORDS = 8;

/* Words of an entry. Its first is 0 if it is free, or `TAKEN` while it is being written. */
const SENDER = 0;
const MESSAGE = 1;
const POSITION = 2;
const CHANNEL = 3;
const SIDE = 4;
const SENT = 5;
const RECEIVED = 6;
const LOGGED_FROM = 7;

const TAKEN = -1;

/** Tells the isolate that receives a message which ports it brings. Of a port that finds no room, nothing is known. */
export class Handovers {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  /** Message number `message` from `sender` brings this port, as the one at this position of all that it brings. */
  put(sender: number, message: number, position: number, port: EndpointState): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at += HANDOVER_WORDS) {
      if (load(words, at) !== 0 || compareExchange(words, at + SENDER, 0, TAKEN) !== 0) continue;
      words[at + MESSAGE] = message;
      words[at + POSITION] = position;
      words[at + CHANNEL] = port.channel;
      words[at + SIDE] = port.side;
      words[at + SENT] = port.sent;
      words[at + RECEIVED] = port.received;
      words[at + LOGGED_FROM] = port.loggedFrom;
      store(words, at + SENDER, sender);
      return;
    }
  }

  /** The ports that a message brings, by their position. */
  take(sender: number, message: number): Map<number, EndpointState> {
    const words = this.#words;
    const found = new Map<number, EndpointState>();
    for (let at = 0; at < words.length; at += HANDOVER_WORDS) {
      if (load(words, at) !== sender || words[at + MESSAGE] !== message) continue;
      found.set(words[at + POSITION], {
        channel: words[at + CHANNEL],
        side: words[at + SIDE],
        sent: words[at + SENT],
        received: words[at + RECEIVED],
        loggedFrom: words[at + LOGGED_FROM],
      });
      store(words, at, 0);
    }
    return found;
  }
}
