import { PreparedTrace } from '../check/prepared-trace.ts';
import type { ReadOptions } from '../formats/read.ts';
import { Specification } from '../spec/specification.ts';
import type { NamedEvent } from '../trace/memory-trace.ts';
import type { NameTable } from '../trace/name-table.ts';
import { isDispatch, isReceipt, MNEMONICS, OPERAND_KINDS, Op } from '../trace/operation.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import type { ThreadKind } from './compile.ts';

/** A program has a line for each event, and somebody is going to read it. */
export const MOST_EVENTS = 10_000;

/** A name stands in the program wherever it is used. */
const LONGEST_NAME = 1000;

/** The events of a trace that a program can be made of: few, well-formed, inner re-entrant locking left out. */
export async function readEvents(
  path: string,
  options: ReadOptions,
  kind: ThreadKind,
): Promise<NamedEvent[]> {
  const trace = await PreparedTrace.open(path, { ...options, specification: new Specification() });
  const { names } = trace;
  const texts = new Map<NameTable, DistinctTexts>();
  const textOf = (table: NameTable, id: number): string => {
    let distinct = texts.get(table);
    if (distinct === undefined) {
      distinct = new DistinctTexts(table, path);
      texts.set(table, distinct);
    }
    return distinct.of(id);
  };
  const events: NamedEvent[] = [];
  for await (const batch of trace.batches()) {
    if (batch.firstEvent - 1 + batch.length > MOST_EVENTS) throw tooLong(path);
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      if (op === Op.skip) continue;
      const thread = textOf(names.threads, batch.thread[i]);
      const operand = textOf(names.operandTable(op), batch.operand[i]);
      const event = { thread, op, operand };
      if (kind === 'tasks' && (isDispatch(op) || isReceipt(op)))
        throw withoutTask(event, path, batch.firstEvent + i);
      events.push(event);
    }
  }
  return events;
}

/** Names are bytes, and two of them may be the same text. */
class DistinctTexts {
  readonly #table: NameTable;
  readonly #file: string;
  readonly #byId: string[] = [];
  readonly #taken = new Set<string>();

  constructor(table: NameTable, file: string) {
    this.#table = table;
    this.#file = file;
  }

  of(id: number): string {
    this.#byId[id] ??= this.#distinct(id);
    return this.#byId[id];
  }

  #distinct(id: number): string {
    const name = this.#table.text(id);
    if (name.length > LONGEST_NAME) {
      throw new InputProblem('this trace has a name that is too long for a program', {
        file: this.#file,
        found: `${quoted(name, 40)}, of ${name.length} characters`,
        expected: `names of up to ${LONGEST_NAME} characters`,
      });
    }
    let text = name;
    for (let copy = 2; this.#taken.has(text); copy++) text = `${name}~${copy}`;
    this.#taken.add(text);
    return text;
  }
}

function tooLong(file: string): InputProblem {
  return new InputProblem('this trace is too long for a program', {
    file,
    found: `more than ${MOST_EVENTS} events`,
    expected: `up to ${MOST_EVENTS}, such as the smallest trace that shows a violation (trackside explain)`,
  });
}

/** What is between threads of their own. */
function withoutTask({ thread, op, operand }: NamedEvent, file: string, event: number): InputProblem {
  return new InputProblem(`tasks of one thread have no ${OPERAND_KINDS[op]}s`, {
    file,
    position: { event },
    found: `${MNEMONICS[op]}(${quoted(operand).slice(1, -1)}) by thread ${quoted(thread)}`,
    expected: 'a program --with workers',
  });
}
