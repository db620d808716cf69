/** Where in the input something was found. Text formats have lines and columns, binary ones byte offsets. */
export interface Position {
  line?: number;
  column?: number;
  /** Byte offset in the (unpacked) input. */
  byte?: number;
  /** Number of the event, where the problem is one of order and not of spelling. */
  event?: number;
}

/**
 * Something is wrong with the input, and the user can be told what to do about it. Every refusal of input in
 * the program is one of these; anything else that is thrown is a bug of ours.
 */
export class InputProblem extends Error {
  override readonly name = 'InputProblem';
  /** What is wrong, in one sentence without position. */
  readonly summary: string;
  readonly position: Position;
  readonly found: string | null;
  readonly expected: string | null;
  file: string | null;

  constructor(
    summary: string,
    details: { position?: Position; found?: string; expected?: string; file?: string; cause?: unknown } = {},
  ) {
    super(summary, details.cause === undefined ? undefined : { cause: details.cause });
    this.summary = summary;
    this.position = details.position ?? {};
    this.found = details.found ?? null;
    this.expected = details.expected ?? null;
    this.file = details.file ?? null;
  }

  /** The whole message: `file:line:column: what; found …; expected …`. */
  describe(): string {
    const parts = [this.summary];
    if (this.found !== null) parts.push(`found ${this.found}`);
    if (this.expected !== null) parts.push(`expected ${this.expected}`);
    return `${this.#place()}${parts.join('; ')}`;
  }

  #place(): string {
    const { line, column, byte, event } = this.position;
    let place = this.file ?? '';
    if (line !== undefined) place += `:${line}`;
    if (column !== undefined) place += `:${column}`;
    if (line === undefined && byte !== undefined) place += `${place === '' ? '' : ', '}byte ${byte}`;
    if (line === undefined && event !== undefined) place += `${place === '' ? '' : ', '}event ${event}`;
    return place === '' ? '' : `${place.replace(/^:/, 'line ')}: `;
  }
}
