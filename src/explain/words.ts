import type { BlockFact } from '../analyses/analysis.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, numericLocationValue } from '../trace/location.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { OPERAND_KINDS, OPERATION_WORDS, Op } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import type { SeenEvent } from './witness.ts';

/** Names this long are shortened: a sentence holds several. */
const NAME_LIMIT = 60;

const PAST_TENSE = [
  'read',
  'wrote',
  'updated',
  'acquired',
  'released',
  'forked',
  'joined',
  'began',
  'ended',
  'arrived at',
  'left',
  'read volatile',
  'wrote volatile',
  'updated volatile',
  'sent',
  'received',
  'notified',
  'waited for',
];

/** A name may be a megabyte long and in a million violations: each is made printable once. */
const wordsOf = new WeakMap<TraceNames, Words>();

/** What does the things that a trace tells of: threads, or the tasks of a program. */
export type Actor = 'thread' | 'task';

/** What sentences about the events of one trace are made of. Everything in them is safe to print. */
export class Words {
  readonly actor: Actor;
  readonly #names: TraceNames;
  readonly #printable = new Map<NameTable, Map<number, string>>();

  static for(names: TraceNames, actor: Actor): Words {
    let words = wordsOf.get(names);
    if (words?.actor !== actor) {
      words = new Words(names, actor);
      wordsOf.set(names, words);
    }
    return words;
  }

  private constructor(names: TraceNames, actor: Actor) {
    this.actor = actor;
    this.#names = names;
  }

  /** `transfer (thread T1)`. */
  block(block: BlockFact, thread: number): string {
    return `${this.label(block)} (${this.thread(thread)})`;
  }

  /** What an event did, as a verb: `wrote balance (event 5)`. */
  did(fact: SeenEvent): string {
    return `${PAST_TENSE[fact.op]} ${this.object(fact)} ${this.place(fact)}`;
  }

  /** What an event did, as a noun: `its write of balance (event 5)` if it is of this thread. */
  deed(fact: SeenEvent, thread: number): string {
    return `${this.whose(fact, thread)} ${nounFor(fact)} ${this.object(fact)} ${this.place(fact)}`;
  }

  /** `the write of balance by thread T2 (event 5)`. */
  deedBy(fact: SeenEvent): string {
    return `the ${nounFor(fact)} ${this.object(fact)} by ${this.thread(fact.thread)} ${this.place(fact)}`;
  }

  /** A block's family may have other threads than its own. */
  whose(fact: SeenEvent, thread: number): string {
    return fact.thread === thread ? 'its' : `${this.name(fact.thread)}'s`;
  }

  object(fact: SeenEvent): string {
    const operand = this.operand(fact);
    switch (OPERAND_KINDS[fact.op]) {
      case 'variable':
        return operand;
      case 'label':
        return operand === '' ? 'a block' : operand;
      case 'thread':
        return `${this.actor} ${operand}`;
      default:
        return `${OPERAND_KINDS[fact.op]} ${operand}`;
    }
  }

  place(fact: SeenEvent): string {
    const { event, location } = fact;
    if (location === NO_LOCATION) return `(event ${event})`;
    if (isNumericLocation(location)) return `(event ${event}, location ${numericLocationValue(location)})`;
    return `(event ${event}, ${this.#text(this.#names.locations, locationNameId(location))})`;
  }

  label({ label }: BlockFact): string {
    return this.#text(this.#names.labels, label) || 'a block';
  }

  operand(fact: SeenEvent): string {
    return this.#text(this.#names.operandTable(fact.op), fact.operand);
  }

  thread(thread: number): string {
    return `${this.actor} ${this.name(thread)}`;
  }

  name(thread: number): string {
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

/** `write of`, `arrival at`: to be followed by the object. */
function nounFor(fact: SeenEvent): string {
  const preposition = fact.op === Op.arrive ? 'at' : fact.op === Op.wait ? 'for' : 'of';
  return `${wordFor(fact)} ${preposition}`;
}

export function wordFor({ op }: SeenEvent): string {
  return OPERATION_WORDS[op];
}

export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
