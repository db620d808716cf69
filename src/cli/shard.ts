import { stat } from 'node:fs/promises';
import type { Shard } from '../check/result.ts';
import { corpusOf, pathsInShard } from '../check/shard.ts';
import type { TraceInput } from '../formats/inputs.ts';
import { counted, grouped } from '../report/layout.ts';
import { InputProblem } from '../trace/problem.ts';

/** Those of the traces that belong to a part, in the order given; says how many. */
export async function inShard(
  inputs: readonly TraceInput[],
  shard: Shard,
  { quiet }: { quiet: boolean },
): Promise<{ inputs: TraceInput[]; shard: Shard }> {
  const sized = [];
  for (const input of inputs) sized.push({ path: input.path, size: await sizeOf(input) });
  const paths = pathsInShard(sized, shard);
  const part = inputs.filter(({ path }) => paths.has(path));
  if (!quiet) {
    const { index, of } = shard;
    process.stderr.write(
      `shard ${index} of ${of}: ${grouped(part.length)} of ${counted(inputs.length, 'trace')}\n`,
    );
  }
  return { inputs: part, shard: { ...shard, corpus: corpusOf(sized) } };
}

/** What cannot be looked at has no size; whoever checks it says what is wrong. */
async function sizeOf({ path, rereadable }: TraceInput): Promise<number> {
  const stats = path === '-' ? null : await stat(path).catch(() => null);
  if (rereadable) return stats?.size ?? 0;
  if (path === '-' || stats?.isFIFO() || stats?.isCharacterDevice()) {
    throw new InputProblem('--shard divides files, as each machine must see the same ones', {
      found: path === '-' ? 'standard input' : `a pipe or device, ${path}`,
      expected: 'files and folders',
    });
  }
  return 0;
}
