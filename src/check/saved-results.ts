import { readFileSync } from 'node:fs';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { type JsonReport, resultsInJson } from './json-results.ts';
import { mismatch, type RootSchema } from './json-schema.ts';
import type { CheckReport, Tool } from './result.ts';

const EXPECTED = 'what check --reporter json writes';

let schema: RootSchema | null = null;

/** The published schema of the JSON report: what users are told is what saved results are held against. */
export function resultsSchema(): RootSchema {
  schema ??= JSON.parse(
    readFileSync(new URL('../../docs/results.schema.json', import.meta.url), 'utf8'),
  ) as RootSchema;
  return schema;
}

/** Takes a saved JSON report apart and refuses anything that is not one. */
export function parseResults(text: string, file: string): CheckReport {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const found = printable((error as Error).message, 200);
    throw new InputProblem('this is not a JSON document', { file, found, expected: EXPECTED, cause: error });
  }
  const wrong = mismatch(document, resultsSchema());
  if (wrong === null) return resultsInJson(document as JsonReport);
  const { path, found, expected } = wrong;
  const where = path === '' ? 'the document' : printable(path, 200);
  throw new InputProblem(`these are not saved results: ${where} is not as expected`, {
    file,
    found,
    expected: `${path === '' ? EXPECTED : expected}${writtenBy(document)}`,
  });
}

/** Results of another version may look otherwise; then that is what to say. */
function writtenBy(document: unknown): string {
  const { tool } = (document ?? {}) as { tool?: Partial<Tool> };
  if (tool?.name !== 'trackside' || typeof tool.version !== 'string') return '';
  return ` (the document is of trackside ${printable(tool.version, 40)})`;
}
