/** What messages go through, or what is waited on: the operand of `send`, `receive`, `notify` and `wait`. */
export class ChannelRecord {
  readonly name: string;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;

  /** Whether it is one message, and its name of no more use when it has been received. */
  readonly isMessage: boolean;

  constructor(name: string, isMessage = false) {
    this.name = name;
    this.isMessage = isMessage;
  }
}
