import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { counted } from '../report/layout.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { FileOutput } from './output.ts';

/** Writes the smallest sub-trace of each violation to a file, each different one once. */
export class ExportedViolations {
  readonly #folder: string;
  readonly #written = new Set<string>();
  #without = 0;

  static async open(folder: string): Promise<ExportedViolations> {
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new InputProblem('the folder for the violations cannot be made', {
        file: folder,
        found: code === 'EEXIST' || code === 'ENOTDIR' ? 'a file of this name' : `error ${code}`,
        expected: 'a folder, or a name that is free',
        cause: error,
      });
    }
    return new ExportedViolations(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  async add(results: readonly AnalysisResult[]): Promise<void> {
    for (const { violations } of results) {
      for (const violation of violations) {
        if (violation.subtrace === undefined) this.#without++;
        else await this.#write(violation, violation.subtrace.trace);
      }
    }
  }

  /** What became of it, as a sentence. */
  summary(): string {
    const folder = printable(this.#folder);
    const written = `${counted(this.#written.size, 'trace')} written to ${folder}`;
    return this.#without === 0
      ? written
      : `${written}; ${counted(this.#without, 'violation')} without one: predicted, not among those that are explained, or too long`;
  }

  async #write(violation: ViolationResult, trace: string): Promise<void> {
    if (this.#written.has(trace)) return;
    this.#written.add(trace);
    const number = String(this.#written.size).padStart(2, '0');
    const output = await FileOutput.open(join(this.#folder, `${number}-${fileName(violation)}.std`));
    await output.write(trace);
    await output.finish();
  }
}

const LONGEST_NAME = 60;

/** The label as a name that every file system takes, and no shell misunderstands. */
function fileName({ block, kind }: ViolationResult): string {
  const label = (block?.label ?? '').slice(0, 4 * LONGEST_NAME);
  const safe = label.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  return safe.slice(0, LONGEST_NAME).replace(/[.-]+$/, '') || kind;
}
