import { ChannelRecord } from '../core/channel-record.ts';

/** What is known of one end of a channel: it may be handed over to another isolate. */
export interface EndpointState {
  /** Of all channels of the program. */
  readonly channel: number;
  /** 0 or 1: which of its two ends this is. */
  readonly side: number;
  /** Messages so far. */
  sent: number;
  received: number;
  /** The first message from the other end that was logged when it was sent: nothing is before there are workers. */
  loggedFrom: number;
}

/**
 * One end of a channel. Messages of one direction come in the order in which they were sent, so that the ends agree on
 * which message is which by counting them, and the messages themselves stay as they are.
 */
export class Endpoint implements EndpointState {
  readonly channel: number;
  readonly side: number;
  sent: number;
  received: number;
  loggedFrom: number;
  /** The other end, if it is in this isolate, too. */
  peer: Endpoint | null = null;
  readonly #outgoing: string;
  readonly #incoming: string;

  /** `worker` is the name of the worker if this is the channel between it and who made it. */
  constructor({ channel, side, sent, received, loggedFrom }: EndpointState, worker: string | null = null) {
    this.channel = channel;
    this.side = side;
    this.sent = sent;
    this.received = received;
    this.loggedFrom = loggedFrom;
    const directions =
      worker === null
        ? [`from port1 of channel ${channel}`, `from port2 of channel ${channel}`]
        : [`to ${worker}`, `from ${worker}`];
    this.#outgoing = directions[side];
    this.#incoming = directions[1 - side];
  }

  /** The message that is sent next. */
  get outgoing(): ChannelRecord {
    return new ChannelRecord(`#${this.sent + 1} ${this.#outgoing}`, true);
  }

  /** The message that is received next; null if it was sent when nobody looked. */
  get incoming(): ChannelRecord | null {
    if (this.received < this.loggedFrom) return null;
    return new ChannelRecord(`#${this.received + 1} ${this.#incoming}`, true);
  }

  /** From the next message on, those from here are logged. */
  logSent(): void {
    if (this.peer !== null) this.peer.loggedFrom = Math.min(this.peer.loggedFrom, this.sent);
  }

  /** What another isolate needs to know. All that either end sends from now on is logged. */
  state(): EndpointState {
    this.logSent();
    this.peer?.logSent();
    const { channel, side, sent, received, loggedFrom } = this;
    return { channel, side, sent, received, loggedFrom };
  }

  /** It is not in this isolate any more. */
  leave(): void {
    if (this.peer !== null) this.peer.peer = null;
  }

  /** Identifies who sends the messages of this end, and who sends those that come here; not 0. */
  get key(): number {
    return 2 * this.channel + this.side;
  }

  get otherKey(): number {
    return 2 * this.channel + 1 - this.side;
  }
}

/** A pair of ends that nothing has gone through. */
export function newPair(channel: number): [Endpoint, Endpoint] {
  const end = (side: number) =>
    new Endpoint({ channel, side, sent: 0, received: 0, loggedFrom: Number.MAX_SAFE_INTEGER });
  const pair: [Endpoint, Endpoint] = [end(0), end(1)];
  pair[0].peer = pair[1];
  pair[1].peer = pair[0];
  return pair;
}
