import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { MNEMONICS, Op } from '../../src/trace/operation.ts';

/*
 * The notation in which tests write traces, and in which failures are printed:
 *
 *   t1: begin A, r x; t2: w x; t1: w x, end
 *
 * Turns are separated by `;` or a new line. A turn is a thread and what it does, separated by commas:
 * `r x`, `w x`, `u x`, `vr x`, `vw x`, `vu x`, `acq l`, `rel l`, `fork t`, `join t`, `arrive b`, `leave b`, `send m`,
 * `receive m`, `notify c`, `wait c`, `begin Label`, `end`. `end` closes the innermost open block and takes its label unless it is given another; `begin` without a label gets one (`block1`, …).
 * A name with spaces, commas, colons, semicolons or quotes in it is written as a JSON string.
 */

/** The trace that `notation` describes. It is not checked for being well-formed. */
export function trace(notation: string): MemoryTrace {
  return MemoryTrace.of(events(notation));
}

export function events(notation: string): NamedEvent[] {
  return new Parser(notation).parse();
}

export function print(trace: MemoryTrace): string {
  return printEvents([...trace.events()]);
}

/** Locations are left out; everything else comes back from `events`. */
export function printEvents(events: readonly NamedEvent[]): string {
  const open = new OpenBlocks();
  const turns: { thread: string; steps: string[] }[] = [];
  for (const event of events) {
    let turn = turns.at(-1);
    if (turn === undefined || turn.thread !== event.thread) {
      turn = { thread: event.thread, steps: [] };
      turns.push(turn);
    }
    turn.steps.push(printStep(event, open));
  }
  return turns.map((turn) => `${printName(turn.thread)}: ${turn.steps.join(', ')}`).join('; ');
}

function printStep({ thread, op, operand }: NamedEvent, open: OpenBlocks): string {
  const mnemonic = MNEMONICS[op as number];
  if (mnemonic === undefined) throw new Error(`operation ${op} cannot be written in the notation`);
  if (op === Op.begin) open.push(thread, operand);
  if (op === Op.end && open.pop(thread) === operand) return mnemonic;
  return `${mnemonic} ${printName(operand)}`;
}

const BARE_NAME = /^[^\s,;:"]+$/;

function printName(name: string): string {
  return BARE_NAME.test(name) ? name : JSON.stringify(name);
}

/** The labels of the blocks that are open in each thread. */
class OpenBlocks {
  readonly #labels = new Map<string, string[]>();

  push(thread: string, label: string): void {
    const labels = this.#labels.get(thread);
    if (labels === undefined) this.#labels.set(thread, [label]);
    else labels.push(label);
  }

  pop(thread: string): string | undefined {
    return this.#labels.get(thread)?.pop();
  }
}

const OPERATIONS = new Map<string, Op>(MNEMONICS.map((mnemonic, op) => [mnemonic, op as Op]));

/** Spaces; a name in quotes; a bare name; or one of the separators. */
const TOKEN = /[^\S\n]+|"(?:[^"\\\n]|\\.)*"|[^\s,;:"]+|[,;:\n]/y;

interface Token {
  kind: 'name' | ',' | ':' | 'turn' | 'nothing';
  text: string;
  at: number;
}

class Parser {
  readonly #notation: string;
  readonly #tokens: Token[];
  #next = 0;
  readonly #open = new OpenBlocks();
  #unnamed = 0;

  constructor(notation: string) {
    this.#notation = notation;
    this.#tokens = this.#split();
  }

  parse(): NamedEvent[] {
    const events: NamedEvent[] = [];
    for (;;) {
      while (this.#peek('turn')) this.#next++;
      if (this.#peek('nothing')) return events;
      const thread = this.#take('name', 'the name of a thread').text;
      this.#take(':', "':' after the thread");
      do events.push(this.#event(thread));
      while (this.#skip(','));
      if (!this.#peek('turn') && !this.#peek('nothing')) this.#fail("',' or ';' after an event");
    }
  }

  #event(thread: string): NamedEvent {
    const word = this.#take('name', `an operation (${MNEMONICS.join(' ')})`);
    const op = OPERATIONS.get(word.text);
    if (op === undefined) {
      this.#next--;
      this.#fail(`an operation (${MNEMONICS.join(' ')})`);
    }
    return { thread, op, operand: this.#operand(thread, op, word.text) };
  }

  #operand(thread: string, op: Op, mnemonic: string): string {
    const given = this.#peek('name') ? this.#tokens[this.#next++].text : undefined;
    if (op === Op.begin) {
      const label = given ?? `block${++this.#unnamed}`;
      this.#open.push(thread, label);
      return label;
    }
    if (op === Op.end) {
      const label = given ?? this.#open.pop(thread);
      if (given !== undefined) this.#open.pop(thread);
      if (label === undefined) this.#fail(`a label: ${thread} has no open block for this end to close`);
      return label;
    }
    if (given === undefined) this.#fail(`a name after '${mnemonic}'`);
    return given;
  }

  #peek(kind: Token['kind']): boolean {
    return this.#tokens[this.#next].kind === kind;
  }

  #skip(kind: Token['kind']): boolean {
    if (!this.#peek(kind)) return false;
    this.#next++;
    return true;
  }

  #take(kind: Token['kind'], expected: string): Token {
    if (!this.#peek(kind)) this.#fail(expected);
    return this.#tokens[this.#next++];
  }

  #fail(expected: string): never {
    const { kind, text, at } = this.#tokens[this.#next];
    const found = kind === 'nothing' ? 'the end of the text' : JSON.stringify(text);
    throw this.#problem(at, found, expected);
  }

  #problem(at: number, found: string, expected: string): Error {
    const lines = this.#notation.slice(0, at).split('\n');
    const column = lines[lines.length - 1].length + 1;
    return new Error(
      `bad notation, line ${lines.length}, column ${column}: found ${found}; expected ${expected}`,
    );
  }

  #split(): Token[] {
    const tokens: Token[] = [];
    TOKEN.lastIndex = 0;
    let at = 0;
    while (at < this.#notation.length) {
      const match = TOKEN.exec(this.#notation)?.[0];
      if (match === undefined)
        throw this.#problem(at, 'a quote without its end', 'a name in quotes on one line');
      const token = this.#token(match, at);
      if (token !== null) tokens.push(token);
      at += match.length;
    }
    tokens.push({ kind: 'nothing', text: '', at });
    return tokens;
  }

  #token(text: string, at: number): Token | null {
    if (text === ';' || text === '\n') return { kind: 'turn', text, at };
    if (text === ',' || text === ':') return { kind: text, text, at };
    if (text[0] === '"') return { kind: 'name', text: this.#unquote(text, at), at };
    return text.trim() === '' ? null : { kind: 'name', text, at };
  }

  #unquote(text: string, at: number): string {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#problem(at, text, 'a name in quotes, escaped as in JSON');
    }
  }
}
