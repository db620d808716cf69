import { Option } from 'commander';
import { COLOURED, PLAIN, type Style } from '../report/style.ts';
import { InputProblem } from '../trace/problem.ts';
import { collect } from './options.ts';
import { FileOutput, type Output, StandardOutput, WholeOutput } from './output.ts';

/** A report that was asked for by `--reporter name[=path]`. */
export interface ReportRequest {
  name: string;
  /** Null for standard output. */
  path: string | null;
  /** Instead of standard output, if `path` is null. */
  stream?: NodeJS.WriteStream;
}

export function reporterOption(names: readonly string[]): Option {
  return new Option(
    '--reporter <name[=path]>',
    `how to report (${names.join(', ')}), to a file or on standard output (repeatable; default: text)`,
  )
    .default([])
    .argParser(collect);
}

/** Takes `--reporter` values apart; `check` refuses names that the command does not know. */
export function reportRequests(values: readonly string[], check: (name: string) => void): ReportRequest[] {
  const requests = (values.length === 0 ? ['text'] : values).map((value) => {
    const [, name, path] = /^([^=]*)(?:=(.*))?$/s.exec(value) as RegExpExecArray;
    check(name);
    if (path === '') throw new InputProblem(`--reporter ${name}= lacks its path`);
    return { name, path: path === undefined || path === '-' ? null : path };
  });
  for (const [i, { path }] of requests.entries()) {
    if (requests.findIndex((other) => other.path === path) === i) continue;
    const where = path ?? 'standard output';
    throw new InputProblem(`two reports cannot both go to ${where}`, { expected: '--reporter name=path' });
  }
  return requests;
}

/** Those that are to be written: `--quiet` drops what people would read on the terminal. */
export function withoutQuieted(requests: readonly ReportRequest[], quiet: boolean): ReportRequest[] {
  return requests.filter(({ name, path }) => !(quiet && name === 'text' && path === null));
}

/** What people read comes as it is found; what programs read comes whole or not at all. */
const LINE_BY_LINE = new Set(['text', 'github']);

export function openOutput({ name, path, stream }: ReportRequest): Promise<Output> | Output {
  if (path !== null) return FileOutput.open(path);
  const output = new StandardOutput(stream);
  return LINE_BY_LINE.has(name) ? output : new WholeOutput(output);
}

/** Colour is for terminals, and for those who have not asked to do without (no-color.org). */
export function styleFor({ path, stream = process.stdout }: ReportRequest, color: boolean): Style {
  const wanted = color && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return wanted && path === null && stream.isTTY ? COLOURED : PLAIN;
}

/** Lines longer than this are hard to read, whatever the terminal; shorter than this, nothing fits. */
const WIDEST = 120;
const NARROWEST = 40;

export function widthFor({ path, stream = process.stdout }: ReportRequest): number {
  const columns = path === null && stream.isTTY ? stream.columns : 80;
  return Math.max(NARROWEST, Math.min(WIDEST, columns || 80));
}

const CHUNK = 1 << 16;

/** Reports come in small pieces; a system call for each would cost more than the rest. */
export async function writeAll(output: Output, pieces: Iterable<string>): Promise<void> {
  let pending = '';
  for (const piece of pieces) {
    pending += piece;
    if (pending.length < CHUNK) continue;
    await output.write(pending);
    pending = '';
  }
  if (pending !== '') await output.write(pending);
}
