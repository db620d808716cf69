import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputProblem } from '../trace/problem.ts';
import { removeAtExit, spare } from './scratch.ts';

/** Where text or bytes go, with back-pressure. */
export interface Output {
  write(piece: string | Uint8Array): Promise<void>;
  /** All is written; only now does a file get its name. */
  finish(): Promise<void>;
}

/** Whoever read our output has gone, as `head` does: there is nothing more to do, and nothing wrong. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Standard output, or standard error where that belongs to somebody else. */
export class StandardOutput implements Output {
  readonly #stream: NodeJS.WriteStream;
  #failure: NodeJS.ErrnoException | null = null;

  constructor(stream: NodeJS.WriteStream = process.stdout) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  async write(piece: string | Uint8Array): Promise<void> {
    this.#refuseIfFailed();
    if (!this.#stream.write(piece)) await drained(this.#stream);
    this.#refuseIfFailed();
  }

  async finish(): Promise<void> {
    // An empty write comes back after all others, with what became of them.
    await new Promise<void>((resolve) => this.#stream.write('', () => resolve()));
    this.#refuseIfFailed();
  }

  #refuseIfFailed(): void {
    if (this.#failure !== null) throw cannotWrite(this.#failure, 'standard output');
  }
}

/** Keeps what is written until all of it is there: half a document is worse than none. */
export class WholeOutput implements Output {
  readonly #output: Output;
  readonly #pieces: (string | Uint8Array)[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  async write(piece: string | Uint8Array): Promise<void> {
    this.#pieces.push(piece);
  }

  async finish(): Promise<void> {
    for (const piece of this.#pieces) await this.#output.write(piece);
    await this.#output.finish();
  }
}

/** Waits until more may be written, or nothing ever will. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'error'];
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}

/** A file that appears under its name only when it is whole. Devices and pipes are written to directly. */
export class FileOutput implements Output {
  readonly #path: string;
  readonly #handle: FileHandle;
  /** The name under which it is being written, in the same folder; null for a device or pipe. */
  readonly #unfinished: string | null;

  static async open(path: string): Promise<FileOutput> {
    try {
      const there = await statIfThere(path);
      if (there?.isDirectory())
        throw new InputProblem('this is a folder, not a file to write', { file: path });
      if (there !== null && !there.isFile()) return new FileOutput(path, await open(path, 'w'), null);
      // A link stays a link: what it points to is replaced.
      const target = there === null ? path : await realpath(path);
      const unfinished = join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}.part`);
      const handle = await open(unfinished, 'wx');
      removeAtExit(unfinished);
      return new FileOutput(target, handle, unfinished);
    } catch (error) {
      throw cannotWrite(error, path);
    }
  }

  private constructor(path: string, handle: FileHandle, unfinished: string | null) {
    this.#path = path;
    this.#handle = handle;
    this.#unfinished = unfinished;
  }

  async write(piece: string | Uint8Array): Promise<void> {
    try {
      await this.#handle.writeFile(piece);
    } catch (error) {
      await this.abandon();
      throw cannotWrite(error, this.#path);
    }
  }

  async finish(): Promise<void> {
    try {
      await this.#handle.close();
      if (this.#unfinished === null) return;
      await rename(this.#unfinished, this.#path);
      spare(this.#unfinished);
    } catch (error) {
      throw cannotWrite(error, this.#path);
    }
  }

  /** Nothing more comes; what there is of it is removed when the command ends. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}

async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const SYSTEM_PROBLEMS = new Map([
  ['ENOENT', 'the folder for this file does not exist'],
  ['ENOTDIR', 'part of this path is not a folder'],
  ['EACCES', 'this file may not be written'],
  ['EPERM', 'this file may not be written'],
  ['EROFS', 'this file may not be written'],
  ['ENOSPC', 'the disk is full'],
]);

/** Errors of the file system, put as problems that a user can do something about; anything else is passed on. */
export function cannotWrite(error: unknown, file: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (error instanceof InputProblem || typeof code !== 'string') return error;
  if (code === 'EPIPE') return new OutputClosed();
  const summary = SYSTEM_PROBLEMS.get(code) ?? `this file cannot be written (${code})`;
  return new InputProblem(summary, { file, cause: error });
}
