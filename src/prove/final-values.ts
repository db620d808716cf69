import { TraceReader } from '../formats/read.ts';
import { TraceFacts } from '../trace/facts.ts';
import { Op } from '../trace/operation.ts';

/** More variables are not remembered. */
const MOST_VARIABLES = 100_000;

/** What variables held after the last change of each, by name, as far as the trace has the values. */
export async function finalValues(trace: string): Promise<Map<string, string>> {
  const facts = new TraceFacts();
  const reader = await TraceReader.open(trace, {
    lenient: true,
    onSection: (section) => facts.addSection(section),
  });
  /** The number of the last change, by variable. */
  const changed = new Map<string, number>();
  let event = 0;
  for await (const batch of reader.batches())
    for (let i = 0; i < batch.length; i++) {
      event++;
      if (batch.op[i] !== Op.write && batch.op[i] !== Op.update) continue;
      const name = reader.names.variables.text(batch.operand[i]);
      if (changed.size < MOST_VARIABLES || changed.has(name)) changed.set(name, event);
    }
  const values = new Map<string, string>();
  for (const [name, last] of changed) {
    const value = facts.values.get(last);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}
