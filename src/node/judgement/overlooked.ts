/*
 * Blocks that may have acted upon what others had changed, though no cycle of conflicts shows it:
 *
 * - A call that nobody awaits acts after the end of the block that has started it, upon what that had read.
 * - A variable holds a list that others add to, by what they find in the variable; then the block puts another list there. It has
 *   written another variable than they have, but what they have added is gone.
 * - Another task has read for the block, which has waited for the answer (served.ts).
 * - What the event loop calls, such as a handler of requests and the middleware before it, is part of no block if it does not wait
 *   itself. It acts later by what it has started; or that reads back what it had written.
 * - Write skew with a task that was not interrupted (skew.ts).
 *
 * This only finds where to look, with little memory; the cases and the rules decide.
 */

import type { ConflictResult, EventResult, ViolationResult } from '../../check/result.ts';
import type { TraceSection } from '../../formats/format.ts';
import type { TraceReader } from '../../formats/read.ts';
import { TraceFacts } from '../../trace/facts.ts';
import { locationText } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { MNEMONICS, type Op } from '../../trace/operation.ts';
import { isHandlerKind, type OpenBlock, OverlookedSearch } from './overlooked-search.ts';
import type { Skew, SkewAccess } from './skew.ts';

/** Whether blocks of a label are looked at, and what was overlooked in this one. */
export type IsWatched = (label: string, found: ViolationResult) => boolean;

/** Violations that nothing is known of yet but the block, for those that are not among the known ones; of those that have acted after the event `from`. */
export async function overlooked(
  open: (onSection: (section: TraceSection) => void) => Promise<TraceReader>,
  known: readonly ViolationResult[],
  isWatched: IsWatched,
  from = 0,
): Promise<ViolationResult[]> {
  const begins = new Set(known.map(({ block }) => block?.begin));
  const facts = new TraceFacts();
  let reader = await open((section) => facts.addSection(section));
  let search = new OverlookedSearch(begins, reader.names, [], { from });
  for await (const batch of reader.batches()) search.look(batch);
  // Who was served by others is known at the end only.
  if (facts.served.length > 0) {
    reader = await open(() => {});
    search = new OverlookedSearch(begins, reader.names, facts.served, { from });
    for await (const batch of reader.batches()) search.look(batch);
  }
  const isHandler = ({ thread }: OpenBlock) =>
    isHandlerKind(facts.tasks.get(reader.names.threads.text(thread))?.kind ?? 'call');
  const { names } = reader;
  const found = [...search.found]
    .filter(([block]) => !block.isHandler || isHandler(block))
    .map(([block, event]) => violationOf(names, block, event));
  const skewed = [...search.skewed].filter(([block]) => !search.found.has(block));
  for (const [block, { skew, act }] of skewed)
    found.push({
      ...violationOf(names, block, act.event),
      pattern: 'multi-variable-cycle',
      cycle: cycleOf(names, skew, act),
    });
  return found.filter((each) => each.block !== null && isWatched(each.block.label, each));
}

function violationOf(names: TraceNames, block: OpenBlock, event: number): ViolationResult {
  const { begin, end } = block;
  return {
    kind: 'transaction',
    severity: 'error',
    pattern: null,
    event,
    thread: names.threads.text(block.thread),
    block: {
      label: block.isHandler ? unnumbered(names.threads.text(block.thread)) : names.labels.text(block.label),
      begin,
      end,
      location: block.isHandler ? null : locationText(names.locations, block.location),
    },
    cycle: [],
    interference: null,
    related: [],
    message: '',
  };
}

/** The block has read what the other task has changed, and that had read what the block writes. */
function cycleOf(
  names: TraceNames,
  { read, change, otherRead }: Skew<OpenBlock>,
  act: SkewAccess,
): ConflictResult[] {
  const result = ({ event, thread, op, variable, location }: SkewAccess): EventResult => ({
    event,
    thread: names.threads.text(thread),
    op: MNEMONICS[op as Op],
    operand: names.variables.text(variable),
    kind: 'variable',
    location: locationText(names.locations, location),
  });
  return [
    { from: result(read), to: result(change) },
    { from: result(otherRead), to: result(act) },
  ];
}

/** `callback in POST /orders #2`: all of a kind have one label. */
function unnumbered(task: string): string {
  const at = task.lastIndexOf('#');
  return at > 0 ? task.slice(0, at).trimEnd() : task;
}
