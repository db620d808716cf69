import { type Command, Option } from 'commander';
import { convertTrace, threadsWithEvents } from '../formats/convert.ts';
import { inFile } from '../formats/read.ts';
import {
  WRITABLE_FORMATS,
  type WritableFormat,
  writableByEnding,
  writableNamed,
} from '../formats/writers.ts';
import { counted, grouped } from '../report/layout.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { GzipOutput } from './gzip-output.ts';
import { formatOption, lenientOption, quietOption } from './options.ts';
import { FileOutput, StandardOutput } from './output.ts';
import { Progress } from './progress.ts';
import { refuseSameFile, singleTrace } from './single-trace.ts';
import { TraceCopy } from './trace-copy.ts';

const STANDARD_OUTPUT = '-';
const NAMES = WRITABLE_FORMATS.map(({ format }) => format.name);
const ENDINGS = WRITABLE_FORMATS.flatMap(({ format }) => format.extensions.map((ending) => `.${ending}`));

const EXAMPLES = `
Examples:
  trackside convert run.std run.trk      to the compact binary format
  trackside convert run.trk run.std.gz   and back, packed
  trackside convert run.rr - --to csv    a RoadRunner log as a table, to a pipe

All events are kept, in their order, whether they are well-formed or not.

Exit codes:
  0  the trace was written
  2  the command or its input was wrong
`;

interface Options {
  to?: WritableFormat;
  format: string;
  lenient: boolean;
  quiet: boolean;
}

export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .summary('write a trace in another format')
    .description(`Writes a trace in another format: ${NAMES.join(', ')}, each also packed (.gz).`)
    .argument('<in>', 'a trace, or - for standard input')
    .argument('<out>', `a file ending in ${ENDINGS.join(', ')}, or - for standard output`)
    .addOption(
      new Option('--to <format>', `${NAMES.join(', ')}; else the ending of <out> says it`).argParser(
        writableNamed,
      ),
    )
    .addOption(formatOption())
    .addOption(lenientOption())
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action(convert);
}

/** The command, also for others that write traces. */
export async function convert(from: string, to: string, options: Options): Promise<void> {
  const target = options.to ?? targetByEnding(to);
  const input = await singleTrace(from, 'converted');
  await refuseSameFile(from, to);
  const progress = new Progress(process.stderr, options);
  progress.start(from);
  const copy = target.needsThreads && !input.rereadable ? await TraceCopy.open() : null;
  let written: FileOutput | null = null;
  try {
    const threads = target.needsThreads
      ? await threadsWithEvents(from, { ...options, ...copy?.readOptions })
      : [];
    if (to !== STANDARD_OUTPUT) written = await FileOutput.open(to);
    const file = written ?? new StandardOutput();
    const isCompressed = /\.gz$/i.test(to);
    const output = isCompressed ? new GzipOutput(file) : file;
    let bytes = 0;
    const sink = async (piece: Uint8Array) => {
      bytes += piece.length;
      await output.write(piece);
    };
    const events = await convertTrace(copy?.path ?? from, target, threads, sink, {
      ...options,
      isCompressed,
      onProgress: (count, reader) => progress.update(count, reader.progress),
    });
    await output.finish();
    progress.clear();
    if (!options.quiet) process.stderr.write(`${summary(to, target, events, bytes)}\n`);
  } catch (error) {
    await written?.abandon();
    // What a format cannot hold is a problem of the file to be written.
    throw inFile(error, to);
  } finally {
    progress.clear();
    await copy?.remove();
  }
}

export function targetByEnding(path: string): WritableFormat {
  const target = writableByEnding(path);
  if (target !== null) return target;
  throw path === STANDARD_OUTPUT
    ? new InputProblem('which format to write on standard output?', {
        expected: `--to ${NAMES.join(' or ')}`,
      })
    : new InputProblem('the name of this file does not say which format to write', {
        file: path,
        expected: `an ending such as ${ENDINGS.join(', ')}, each also with .gz, or --to`,
      });
}

function summary(to: string, { format }: WritableFormat, events: number, bytes: number): string {
  const name = to === STANDARD_OUTPUT ? 'standard output' : printable(to);
  const each = events === 0 ? '' : `, ${(bytes / events).toFixed(1)} bytes/event`;
  const packed = /\.gz$/i.test(to) ? ' before packing' : '';
  return `wrote ${name} (${format.name}): ${counted(events, 'event')}, ${grouped(bytes)} bytes${each}${packed}`;
}
