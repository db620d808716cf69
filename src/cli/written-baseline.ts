import { baselineText } from '../check/baseline-file.ts';
import type { KnownViolation, Tool } from '../check/result.ts';
import { counted } from '../report/layout.ts';
import { FileOutput } from './output.ts';

/** Writes a baseline, whole or not at all; says what is in it. */
export async function writeBaseline(
  file: string,
  tool: Tool,
  { known, added, removed }: { known: readonly KnownViolation[]; added: number; removed: number },
): Promise<string> {
  const output = await FileOutput.open(file);
  await output.write(baselineText(tool, known));
  await output.finish();
  return `${file}: ${counted(known.length, 'known violation')}, ${added} added, ${removed} removed`;
}
