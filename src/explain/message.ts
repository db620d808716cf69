import type { BlockFact, ViolationFact } from '../analyses/analysis.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, numericLocationValue } from '../trace/location.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { OPERAND_KINDS, OPERATION_WORDS } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import type { Conflict, EventFact, Explanation, Interference, Witness } from './witness.ts';

/** Names this long are shortened: a sentence holds several. */
const NAME_LIMIT = 60;
/** More transactions than these are counted, not named. */
const MOST_NAMED = 5;

const PAST_TENSE = ['read', 'wrote', 'updated', 'acquired', 'released', 'forked', 'joined', 'began', 'ended'];

/** A name may be a megabyte long and in a million violations: each is made printable once. */
const wordsOf = new WeakMap<TraceNames, Words>();

/** One sentence that says what is wrong and where, for one violation. Everything in it is safe to print. */
export function message({ violation, witness }: Explanation, names: TraceNames): string {
  let words = wordsOf.get(names);
  if (words === undefined) {
    words = new Words(names);
    wordsOf.set(names, words);
  }
  if (witness === null) return words.unexplained(violation);
  if (!witness.increasing) return words.disorder(witness.cycle);
  return witness.interference === null
    ? words.path(witness)
    : words.interference(witness, witness.interference);
}

class Words {
  readonly #names: TraceNames;
  readonly #printable = new Map<NameTable, Map<number, string>>();

  constructor(names: TraceNames) {
    this.#names = names;
  }

  unexplained({ kind, block, thread, event }: ViolationFact): string {
    if (kind === 'transaction' && block !== null)
      return `${this.#notAtomic(block, thread)}, which was noticed at event ${event}`;
    return `the trace is not serializable, which was noticed at event ${event} of ${this.#thread(thread)}`;
  }

  interference({ block, thread }: Witness, { first, between, last }: Interference): string {
    const variable = this.#operand(first);
    const next = first.op === last.op ? `next ${wordFor(last)}` : wordFor(last);
    const since = `${this.#whose(first, thread)} ${wordFor(first)} of ${variable} ${this.#place(first)}`;
    const until = `${this.#whose(last, thread)} ${next} ${this.#place(last)}`;
    const what = `${this.#thread(between.thread)} ${this.#did(between)}`;
    return `${this.#notAtomic(block, thread)}: between ${since} and ${until}, ${what}`;
  }

  /** A happens-before path: what others did comes after something in the block and before something else. */
  path({ block, thread, cycle }: Witness): string {
    const { from: left, to: entered } = cycle[0];
    const { from: exited, to: returned } = cycle[cycle.length - 1];
    const after = `${this.#thread(entered.thread)} ${this.#did(entered)} after ${this.#deed(left, thread)}`;
    const who =
      exited.thread === entered.thread
        ? ''
        : `${this.#thread(exited.thread)}, which comes after ${this.#name(entered.thread)}, `;
    const before = `${who}${this.#did(exited)} before ${this.#deed(returned, thread)}`;
    if (exited.event === entered.event)
      return `${this.#notAtomic(block, thread)}: ${after} and before ${this.#deed(returned, thread)}`;
    return `${this.#notAtomic(block, thread)}: ${after}, and ${before}`;
  }

  /** A cycle of transactions, none of which can be blamed alone. */
  disorder(cycle: readonly Conflict[]): string {
    const named = cycle.slice(0, MOST_NAMED).map(({ from }) => this.#transaction(from));
    if (cycle.length > named.length) named.push(`${cycle.length - named.length} more`);
    const order =
      cycle.length === 2
        ? 'each has to come before the other'
        : 'each has to come before the next, and the last before the first';
    return `the trace is not serializable: ${listed(named)} cannot be put in any order, as ${order}`;
  }

  #notAtomic(block: BlockFact, thread: number): string {
    return `${this.#label(block)} (${this.#thread(thread)}) is not atomic`;
  }

  #transaction(fact: EventFact): string {
    const { block, thread } = fact;
    if (block === null)
      return `the ${wordFor(fact)} of ${this.#object(fact)} by ${this.#thread(thread)} ${this.#place(fact)}`;
    return `${this.#label(block)} (${this.#thread(thread)}, begun at event ${block.begin})`;
  }

  /** What an event did, as a verb: `wrote balance (event 5)`. */
  #did(fact: EventFact): string {
    return `${PAST_TENSE[fact.op]} ${this.#object(fact)} ${this.#place(fact)}`;
  }

  /** What an event of the block did, as a noun: `its write of balance (event 5)`. */
  #deed(fact: EventFact, thread: number): string {
    return `${this.#whose(fact, thread)} ${wordFor(fact)} of ${this.#object(fact)} ${this.#place(fact)}`;
  }

  /** A block's family may have other threads than its own. */
  #whose(fact: EventFact, thread: number): string {
    return fact.thread === thread ? 'its' : `${this.#name(fact.thread)}'s`;
  }

  #object(fact: EventFact): string {
    const operand = this.#operand(fact);
    switch (OPERAND_KINDS[fact.op]) {
      case 'variable':
        return operand;
      case 'label':
        return operand === '' ? 'a block' : operand;
      default:
        return `${OPERAND_KINDS[fact.op]} ${operand}`;
    }
  }

  #place(fact: EventFact): string {
    const { event, location } = fact;
    if (location === NO_LOCATION) return `(event ${event})`;
    if (isNumericLocation(location)) return `(event ${event}, location ${numericLocationValue(location)})`;
    return `(event ${event}, ${this.#text(this.#names.locations, locationNameId(location))})`;
  }

  #label({ label }: BlockFact): string {
    return this.#text(this.#names.labels, label) || 'a block';
  }

  #operand(fact: EventFact): string {
    return this.#text(this.#names.operandTable(fact.op), fact.operand);
  }

  #thread(thread: number): string {
    return `thread ${this.#name(thread)}`;
  }

  #name(thread: number): string {
    return this.#text(this.#names.threads, thread);
  }

  #text(table: NameTable, id: number): string {
    let texts = this.#printable.get(table);
    if (texts === undefined) {
      texts = new Map();
      this.#printable.set(table, texts);
    }
    let text = texts.get(id);
    if (text === undefined) {
      text = printable(table.text(id), NAME_LIMIT);
      texts.set(id, text);
    }
    return text;
  }
}

function wordFor({ op }: EventFact): string {
  return OPERATION_WORDS[op];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
