import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ModuleFormat } from './module-kind.ts';
import type { SourceTransformer } from './source-transformer.ts';

/**
 * Instrumented sources, for the isolates of one run of a program: a pool of workers consists of the same files many times,
 * and to load the instrumenter takes longer than to start a thread.
 */
export class InstrumentedCodeCache {
  readonly #folder: string;

  constructor(spool: string) {
    this.#folder = `${spool}.code`;
  }

  find(path: string, source: string, format: ModuleFormat): string | null {
    try {
      const text = readFileSync(this.#file(path, format), 'utf8');
      const head = headOf(path, source);
      return text.startsWith(head) ? text.slice(head.length) : null;
    } catch {
      return null;
    }
  }

  /** It only saves time: whatever is wrong with it, the next one who needs the file does without. */
  keep(path: string, source: string, format: ModuleFormat, code: string): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
      const file = this.#file(path, format);
      const own = `${file}.${process.hrtime.bigint()}`;
      writeFileSync(own, headOf(path, source) + code);
      // Whole or not at all.
      renameSync(own, file);
    } catch {
      // A full disk, say.
    }
  }

  /** Instruments a file that a worker is about to be made for, where the instrumenter is at hand. */
  prepare(path: string, transformer: SourceTransformer): void {
    try {
      if (!transformer.selects(path)) return;
      const source = readFileSync(path, 'utf8');
      const format = transformer.formatOf(path, source);
      if (this.find(path, source, format) === null)
        this.keep(path, source, format, transformer.transform(path, source, format));
    } catch {
      // The worker will find that out by itself, and say so.
    }
  }

  #file(path: string, format: ModuleFormat): string {
    return join(this.#folder, `${crc32(path).toString(36)}-${format}`);
  }
}

/** Tells which text of which file it was made of. */
function headOf(path: string, source: string): string {
  return `${JSON.stringify([path, source.length, crc32(source)])}\n`;
}
