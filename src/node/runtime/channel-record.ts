/** What messages go through, or what is waited on: the operand of `send`, `receive`, `notify` and `wait`. */
export class ChannelRecord {
  readonly name: string;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;

  constructor(name: string) {
    this.name = name;
  }
}
