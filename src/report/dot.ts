import type { AnalysisResult, ConflictResult, CycleEventResult, ViolationResult } from '../check/result.ts';
import type { Report, Reporter } from './reporter.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';

/** Error graphs as Velodrome draws them (§5): a graph for each cycle, in the language of Graphviz. */
export const dot: Reporter = {
  name: 'dot',
  summary: 'a graph for each cycle of transactions, for Graphviz',
  start: () => new DotReport(),
};

const NAME = 60;
const TITLE = 1000;

class DotReport implements Report {
  #graphs = 0;

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    for (const { trace, analysis, violations } of results) {
      let without = 0;
      for (const violation of violations) {
        if (violation.cycle.length === 0) without++;
        else yield graph(`violation ${++this.#graphs}`, violation);
      }
      const found = violations.length - without;
      yield `// ${shown(trace)}, ${shown(analysis)}: ${found} with a cycle, ${without} without\n`;
    }
  }

  *finish(): Generator<string> {}
}

interface Transaction {
  id: string;
  /** The events of the cycle that lie in it. */
  events: CycleEventResult[];
}

function graph(name: string, violation: ViolationResult): string {
  const { cycle } = violation;
  const transactions = new Map<string, Transaction>();
  const of = (event: CycleEventResult): Transaction => {
    const key = keyOf(event);
    let transaction = transactions.get(key);
    if (transaction === undefined) {
      transaction = { id: `t${transactions.size}`, events: [] };
      transactions.set(key, transaction);
    }
    transaction.events.push(event);
    return transaction;
  };
  const closing = closingConflict(cycle);
  const edges: string[] = [];
  for (const [i, conflict] of cycle.entries()) {
    const to = of(conflict.to);
    const dashed = conflict === closing ? { style: 'dashed' } : {};
    edges.push(edge(of(conflict.from), to, { label: conflictText(conflict), ...dashed }));
    const next = cycle[(i + 1) % cycle.length].from;
    // A path may go on in a later transaction of the thread, or in a forked one, from that where it arrived.
    if (of(next) === to) continue;
    const label = next.thread === conflict.to.thread ? 'later in the thread' : 'of the same family';
    edges.push(edge(to, of(next), { label, style: 'dotted' }));
  }
  const boxes = [...transactions.values()].map((transaction) => box(transaction, violation));
  const title = shown(headline(violation), TITLE);
  return `digraph ${quoted(name)} {
  graph [label=${quoted(title)}, labelloc="t", rankdir="TB"];
  node [shape="box", fontname="monospace"];
  edge [fontname="monospace"];
${[...boxes, ...edges].map((line) => `  ${line}\n`).join('')}}
`;
}

/** Which transaction an event belongs to; where that is not known, its thread stands for it. */
function keyOf({ thread, transaction, event }: CycleEventResult): string {
  const number = transaction === undefined ? '' : transaction === null ? `event ${event}` : transaction.begin;
  return `${number} ${thread}`;
}

/** The conflict that was observed last: without it there would be no cycle yet. */
function closingConflict(cycle: readonly ConflictResult[]): ConflictResult {
  return cycle.reduce((last, conflict) => (conflict.to.event > last.to.event ? conflict : last));
}

function box({ id, events }: Transaction, { thread, block }: ViolationResult): string {
  const [{ transaction, thread: own, event, op }] = events;
  const name = shown(own, NAME);
  const lines =
    transaction === undefined
      ? [`thread ${name}`]
      : transaction === null
        ? [shown(op, NAME), `thread ${name}, event ${event}`]
        : [shown(transaction.label, NAME), `thread ${name}, begun at event ${transaction.begin}`];
  const isBlamed =
    block !== null &&
    own === thread &&
    events.some(({ event }) => event >= block.begin && (block.end === null || event <= block.end));
  if (isBlamed && transaction != null && transaction.begin !== block.begin) {
    lines.push(`violated: ${shown(block.label, NAME)}, begun at event ${block.begin}`);
  }
  const outline = isBlamed ? { style: 'bold', penwidth: '3' } : {};
  return `${id} [${attributes({ label: lines.join('\n'), ...outline })}];`;
}

function edge(from: Transaction, to: Transaction, values: Readonly<Record<string, string>>): string {
  return `${from.id} -> ${to.id} [${attributes(values)}];`;
}

function conflictText({ from, to }: ConflictResult): string {
  return `${eventText(from)}\nbefore ${eventText(to)}`;
}

function eventText({ event, op, location }: CycleEventResult): string {
  return `${event}: ${shown(op, NAME)}${location === null ? '' : ` at ${shown(location, NAME)}`}`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ');
}

/** A quoted string of DOT; labels also know escapes such as `\N`, and the entities of HTML. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('&', '&amp;')
    .replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
