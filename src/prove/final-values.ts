import { TraceReader } from '../formats/read.ts';
import { TraceFacts } from '../trace/facts.ts';
import { Op } from '../trace/operation.ts';

/** More variables are not remembered. */
const MOST_VARIABLES = 100_000;

/** What variables held after the last change of each, or when they were read after that, by name, as far as the trace has it. */
export async function finalValues(trace: string): Promise<Map<string, string>> {
  const facts = new TraceFacts();
  const reader = await TraceReader.open(trace, {
    lenient: true,
    onSection: (section) => facts.addSection(section),
  });
  /** The number of the last change, by variable. */
  const changed = new Map<string, number>();
  const read = new Map<string, number>();
  let event = 0;
  for await (const batch of reader.batches())
    for (let i = 0; i < batch.length; i++) {
      event++;
      const op = batch.op[i];
      if (op !== Op.read && op !== Op.write && op !== Op.update) continue;
      const name = reader.names.variables.text(batch.operand[i]);
      if (op === Op.read) {
        if (changed.has(name)) read.set(name, event);
      } else if (changed.size < MOST_VARIABLES || changed.has(name)) changed.set(name, event);
    }
  const values = new Map<string, string>();
  for (const [name, last] of changed) {
    const seen = read.get(name) ?? 0;
    const value = (seen > last ? facts.values.get(seen) : undefined) ?? facts.values.get(last);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}
