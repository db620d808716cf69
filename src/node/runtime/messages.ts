import type { ChannelRecord } from '../core/channel-record.ts';
import { LOOKED_BACK, type TraceSink } from '../core/trace-sink.ts';
import type { LockNames } from './live-names.ts';

/** What messages and conditions are called in the trace. */
export class Messages {
  readonly #names: LockNames;
  readonly #sinks: readonly TraceSink[];
  /** Those with names in the batch. */
  readonly #named: ChannelRecord[] = [];

  constructor(names: LockNames, sinks: readonly TraceSink[]) {
    this.#names = names;
    this.#sinks = sinks;
  }

  number(channel: ChannelRecord, firstEvent: number): void {
    if (channel.isMessage) {
      channel.id = this.#names.add(channel.name, firstEvent - LOOKED_BACK);
      this.#named.push(channel);
    } else {
      channel.id = this.#names.internText(channel.name);
    }
  }

  /** Each isolate has to do with a message once, but for those who hear of it a little later. */
  forget(firstEvent: number): void {
    if (this.#named.length === 0) return;
    const ids = this.#named.map(({ id }) => id);
    for (const sink of this.#sinks) sink.forgetMessages?.(ids);
    for (const message of this.#named) {
      this.#names.giveBack(message.id, firstEvent);
      message.id = -1;
    }
    this.#named.length = 0;
  }
}
