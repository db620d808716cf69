import { type FileHandle, open } from 'node:fs/promises';
import type { ReadOptions } from '../formats/read.ts';
import { removeScratch, scratchPath } from './scratch.ts';

/** A copy of a trace that cannot be read twice, made while it is read. It is gone when the program ends. */
export class TraceCopy {
  readonly path: string;
  readonly #handle: FileHandle;

  static async open(): Promise<TraceCopy> {
    const path = await scratchPath();
    return new TraceCopy(path, await open(path, 'w'));
  }

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Makes a reader write the copy. */
  get readOptions(): ReadOptions {
    return { copyTo: this.#handle };
  }

  async remove(): Promise<void> {
    await this.#handle.close();
    await removeScratch(this.path);
  }
}
