import { readFile, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import type { FailOn } from '../check/failing.ts';
import type { ConflictHandling } from '../check/merged-results.ts';
import type { Severity, Shard } from '../check/result.ts';
import { asInputProblem } from '../formats/bytes.ts';
import { FORMATS, formatNamed } from '../formats/registry.ts';
import { type Specification, type SpecificationParts, specificationFrom } from '../spec/specification.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';

/*
 * Options that several commands share: their words, their checks, and what they are turned into. A value that
 * is not one of the known ones is refused with the one that was probably meant.
 */

const FORMAT_NAMES = FORMATS.map(({ name }) => name).join(', ');

export function formatOption(): Option {
  return new Option('--format <name>', `how to read the traces: auto, ${FORMAT_NAMES}`)
    .default('auto')
    .argParser((name) => (name === 'auto' ? name : formatNamed(name).name));
}

export function lenientOption(): Option {
  return new Option('--lenient', 'repair what can be repaired in a trace, and count it').default(false);
}

export function quietOption(): Option {
  return new Option(
    '--quiet',
    'no text but errors; reports to files, and JSON, are written all the same',
  ).default(false);
}

export function noColorOption(): Option {
  return new Option('--no-color', 'no colours; also off where NO_COLOR is set or output is no terminal');
}

const FORK_JOIN: readonly ForkJoin[] = ['edge', 'boundary', 'family'];
const SEVERITIES: readonly Severity[] = ['error', 'warning'];

/** Without a default, the command decides by what else it is asked for. */
export function forkJoinOption(byDefault?: ForkJoin): Option {
  const option = new Option(
    '--fork-join <meaning>',
    'what forks, joins, barriers and messages inside a block are: edge (order only), boundary (the block ends there), family (children belong to the block)',
  ).argParser((value) => oneOf('--fork-join', value, FORK_JOIN));
  return byDefault === undefined ? option : option.default(byDefault);
}

/** `proved` is for commands that prove something. */
export function failOnOption(choices: readonly FailOn[] = SEVERITIES): Option {
  return new Option(
    '--fail-on <severity>',
    `exit with 1 for violations of at least this severity: ${choices.join(', ')} (default: error for programs, warning for traces)`,
  ).argParser((value) => oneOf('--fail-on', value, choices));
}

const EDITOR = 'vscode://file/{path}:{line}:{column}';

/** Schemes of addresses that run something in the page instead of opening something elsewhere. */
const RUNNING = /^(?:javascript|data|blob|vbscript):/i;

export function editorOption(): Option {
  return new Option(
    '--editor <address>',
    'what opens a place from a page: an address with {path}, {line} and {column}, or none',
  )
    .default(EDITOR)
    .env('TRACKSIDE_EDITOR')
    .argParser((value) => {
      if (value === 'none' || (/^[a-z][a-z0-9+.-]*:.*\{path\}/i.test(value) && !RUNNING.test(value)))
        return value;
      throw new InputProblem('--editor takes an address of a place in a file', {
        found: quoted(value),
        expected: `${EDITOR} or the like, or none`,
      });
    });
}

export function sourceRootOption(): Option {
  return new Option(
    '--source-root <folder>',
    'where to look for the source files that locations name, beside the current folder (repeatable)',
  )
    .default([])
    .argParser(collect);
}

export function exportOption(): Option {
  return new Option(
    '--export-violations <folder>',
    'write the smallest trace that shows each violation to a file of its own',
  );
}

/** A folder that is mistyped would silently show nothing. */
export async function refuseOtherThanFolders(paths: readonly string[]): Promise<void> {
  for (const file of paths) {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
    if (!(found instanceof Error) && found.isDirectory()) continue;
    throw new InputProblem('--source-root is not a folder', {
      file,
      found: found instanceof Error ? 'nothing there' : 'a file',
      expected: 'a folder with sources',
    });
  }
}

export function shardOption(of: 'traces' | 'runs'): Option {
  return new Option(
    '--shard <i/n>',
    `only the i-th of n parts of the ${of}, for as many machines (docs/how-to/shards.md)`,
  ).argParser(shardFrom);
}

function shardFrom(text: string): Shard {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (Number.isSafeInteger(of) && index >= 1 && index <= of) return { index, of };
  throw new InputProblem('--shard takes the number of a part and how many there are', {
    found: quoted(text),
    expected: '1/4, 2/4, 3/4 or 4/4 for four parts, for example',
  });
}

export function conflictsOption(): Option {
  return new Option(
    '--conflicts <what>',
    'different results of one analysis on one trace: refuse, or keep all of them',
  )
    .default('refuse')
    .argParser((value) => oneOf<ConflictHandling>('--conflicts', value, ['refuse', 'keep']));
}

export function baselineOption(): Option {
  return new Option(
    '--baseline <file>',
    'report only what is not in this baseline (or in these JSON results), and say what is gone',
  );
}

/** Whole numbers, also as `1e6`. */
export function countOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InputProblem(`${flag} takes a whole number`, {
      found: quoted(text),
      expected: 'for example 1e6',
    });
  }
  return value;
}

/** For programs that watch themselves; the seed picks the moments. */
export function provokeOption(): Option {
  return new Option('--provoke [seed]', 'hold threads back where others may come in, so that more of them do')
    .preset('1')
    .argParser((text) => {
      if (/^\d/.test(text)) return countOf('--provoke', text);
      throw new InputProblem(`--provoke takes a number or nothing`, {
        found: quoted(text),
        expected: '-- before the program, as in --provoke -- java -jar app.jar',
      });
    });
}

/** What to add to a command that holds nobody back. */
export function provokingOption({ provoke }: { provoke?: number }): string | undefined {
  return provoke === undefined ? '--provoke' : undefined;
}

/** A number of seconds, up to a day. */
export function secondsOf(flag: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= 86_400) return seconds;
  throw new InputProblem(`${flag} takes a number of seconds`, {
    found: quoted(text),
    expected: 'more than 0, and at most 86400',
  });
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const match = known.find((candidate) => candidate === value);
  if (match === undefined) throw unknownName(`value of ${option}`, value, known);
  return match;
}

/** For options that may be given more than once. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

export interface SpecificationOptions {
  spec: string[];
  only: string[];
  exclude: string[];
}

export function addSpecificationOptions(command: Command): Command {
  return command
    .option(
      '--only <glob>',
      'of the blocks that there are, check only those with such labels (repeatable)',
      collect,
      [],
    )
    .option('--exclude <glob>', 'leave out blocks with such labels (repeatable)', collect, [])
    .option('--spec <file>', 'leave out the labels that this file lists (repeatable)', collect, []);
}

export async function specificationOf(options: SpecificationOptions): Promise<Specification> {
  return specificationFrom(await specificationParts(options));
}

export async function specificationParts({
  spec,
  only,
  exclude,
}: SpecificationOptions): Promise<SpecificationParts> {
  const files: string[] = [];
  for (const file of spec) files.push(await readText(file));
  return { files, only, exclude };
}

/** What has to be said again for another command to find the same. */
export function repeatedOptions(
  options: SpecificationOptions & { format: string; forkJoin: ForkJoin; lenient: boolean },
): string[] {
  const { spec, only, exclude, format, forkJoin, lenient } = options;
  const each = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  return [
    ...(format === 'auto' ? [] : ['--format', format]),
    ...(forkJoin === 'edge' ? [] : ['--fork-join', forkJoin]),
    ...(lenient ? ['--lenient'] : []),
    ...each('--spec', spec),
    ...each('--only', only),
    ...each('--exclude', exclude),
  ];
}

/** Text that need not be UTF-8: then its bytes count one by one, as in the names of a trace. */
async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw asInputProblem(error, file);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
