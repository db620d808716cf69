import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { InputProblem } from '../trace/problem.ts';

/** Bytes of one trace, pulled: nothing is read ahead of what the consumer asks for, beyond one buffer. */
export interface ByteSource {
  /** Fills `target` from `offset` on with at least one byte; returns how many, 0 at the end. */
  read(target: Uint8Array, offset: number): Promise<number>;
  /** Length of the unpacked bytes, if it is known beforehand. */
  readonly size: number | null;
  /** For progress: bytes of the file used so far, and in all if known. */
  readonly position: number;
  readonly total: number | null;
  /** Whether, at the end, something was missing that a lenient reader does without. */
  readonly cut: boolean;
  close(): Promise<void>;
}

export const STANDARD_INPUT = '-';

const GZIP_MAGIC = [0x1f, 0x8b];
const STREAM_CHUNK = 256 * 1024;

/** Opens a file, or standard input for `-`; unpacks gzip, which is recognised by its first bytes. */
export async function openBytes(path: string, options: { lenient: boolean }): Promise<ByteSource> {
  if (path === STANDARD_INPUT) return openStream(process.stdin, options, null);
  const file = openPlainFile(path);
  if (file !== null) return file;
  const handle = await openFile(path);
  try {
    const stat = await handle.stat();
    // Pipes and devices have no size, cannot be read at a position, and not be opened a second time: a named
    // pipe whose reader goes away even for a moment breaks for its writer.
    const stream = handle.createReadStream({ highWaterMark: STREAM_CHUNK });
    return await openStream(stream, options, stat.isFile() ? stat.size : null);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw asInputProblem(error, path);
  }
}

/**
 * A file that is not packed; null for all else: whoever opens a pipe waits for somebody who writes to it, which must not keep us from
 * hearing signals.
 */
function openPlainFile(path: string): ByteSource | null {
  let fd = -1;
  try {
    const there = statSync(path);
    if (there.isDirectory()) throw new InputProblem('this is a folder, not a trace', { file: path });
    if (!there.isFile()) return null;
    fd = openSync(path, 'r');
    const stat = fstatSync(fd);
    if (stat.isFile() && !isGzip(bytesAt(fd, 0, GZIP_MAGIC.length))) return new FileSource(fd, stat.size);
    closeSync(fd);
    return null;
  } catch (error) {
    if (fd >= 0) closeSync(fd);
    throw asInputProblem(error, path);
  }
}

/** The first bytes of a file; null if it cannot be read. */
export function firstBytes(path: string, count: number): Uint8Array | null {
  let fd = -1;
  try {
    fd = openSync(path, 'r');
    return bytesAt(fd, 0, count);
  } catch {
    return null;
  } finally {
    if (fd >= 0) closeSync(fd);
  }
}

function bytesAt(fd: number, position: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  return bytes.subarray(0, readSync(fd, bytes, 0, count, position));
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw asInputProblem(error, path);
  }
}

/** Whether these are the first bytes of what is packed. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 2 && head[0] === GZIP_MAGIC[0] && head[1] === GZIP_MAGIC[1];
}

class FileSource implements ByteSource {
  readonly cut = false;
  position = 0;
  readonly size: number;
  readonly total: number;
  #fd: number;

  constructor(fd: number, size: number) {
    this.#fd = fd;
    this.size = size;
    this.total = size;
  }

  /** Blocks: the detour over another thread takes longer than copying what the system has read ahead. */
  async read(target: Uint8Array, offset: number): Promise<number> {
    // Signals and timers get their turn between two reads.
    if (this.position > 0) await new Promise((resolve) => setImmediate(resolve));
    const bytesRead = readSync(this.#fd, target, offset, target.length - offset, this.position);
    this.position += bytesRead;
    return bytesRead;
  }

  async close(): Promise<void> {
    // A second time, the number might be that of another file.
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }
}

/** The raw bytes of a stream as they pass: how many, and the last four. */
class Passage {
  bytes = 0;
  tail: Uint8Array = new Uint8Array(0);

  async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      this.tail = Buffer.concat([this.tail.subarray(-4), chunk.subarray(-4)]).subarray(-4);
      yield chunk;
    }
  }
}

class StreamSource implements ByteSource {
  readonly size = null;
  readonly total: number | null;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #passage: Passage;
  readonly #stop: () => void;
  readonly #packed: boolean;
  #unpacked = 0;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(
    chunks: AsyncIterator<Uint8Array>,
    passage: Passage,
    total: number | null,
    packed: boolean,
    stop: () => void,
  ) {
    this.#chunks = chunks;
    this.#passage = passage;
    this.total = total;
    this.#packed = packed;
    this.#stop = stop;
  }

  get position(): number {
    return this.#passage.bytes;
  }

  /** Gzip ends with the length of what was packed; only a lenient reader gets here without it. */
  get cut(): boolean {
    if (!this.#packed || this.#passage.tail.length < 4) return false;
    return Buffer.from(this.#passage.tail).readUInt32LE() !== this.#unpacked % 0x1_0000_0000;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return 0;
      this.#chunk = next.value;
    }
    const count = Math.min(this.#chunk.length, target.length - offset);
    target.set(this.#chunk.subarray(0, count), offset);
    this.#chunk = this.#chunk.subarray(count);
    this.#unpacked += count;
    return count;
  }

  async close(): Promise<void> {
    this.#stop();
  }
}

/** Writes everything that is read from another source into a file as well. */
export class CopiedSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #copy: FileHandle;

  constructor(source: ByteSource, copy: FileHandle) {
    this.#source = source;
    this.#copy = copy;
  }

  get size(): number | null {
    return this.#source.size;
  }

  get position(): number {
    return this.#source.position;
  }

  get total(): number | null {
    return this.#source.total;
  }

  get cut(): boolean {
    return this.#source.cut;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    const count = await this.#source.read(target, offset);
    if (count > 0) await this.#copy.writeFile(target.subarray(offset, offset + count));
    return count;
  }

  async close(): Promise<void> {
    await this.#source.close();
  }
}

/** Looks at the first bytes of a stream and puts `gunzip` behind it if they ask for it. */
export async function openStream(
  raw: Readable,
  options: { lenient: boolean },
  total: number | null,
): Promise<ByteSource> {
  const passage = new Passage();
  const chunks = passage.through(raw);
  const head: Uint8Array[] = [];
  let headLength = 0;
  while (headLength < 2) {
    const next = await chunks.next();
    if (next.done === true) break;
    head.push(next.value);
    headLength += next.value.length;
  }
  const all = (async function* () {
    yield* head;
    yield* chunks;
  })();
  const stop = () => raw.destroy();
  if (!isGzip(Buffer.concat(head).subarray(0, 2))) return new StreamSource(all, passage, total, false, stop);
  // Only now: most traces are not packed, and these modules take milliseconds to load.
  const { pipeline, Readable } = await import('node:stream');
  const { constants, createGunzip } = await import('node:zlib');
  const gunzip = createGunzip({
    chunkSize: STREAM_CHUNK,
    // A cut gzip is an error, unless the user asked for what can be saved.
    finishFlush: options.lenient ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
  });
  // Errors surface through the iterator; the callback only keeps them from being thrown twice.
  pipeline(Readable.from(all), gunzip, () => undefined);
  return new StreamSource(gunzip[Symbol.asyncIterator](), passage, total, true, () => {
    gunzip.destroy();
    stop();
  });
}

const SYSTEM_PROBLEMS = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'this file may not be read'],
  ['EPERM', 'this file may not be read'],
  ['EISDIR', 'this is a folder, not a trace'],
  ['ENOTDIR', 'part of this path is not a folder'],
  ['ENAMETOOLONG', 'this path is too long'],
  ['ELOOP', 'this path runs in a circle of links'],
  ['Z_BUF_ERROR', 'the gzip data is cut off'],
  ['Z_DATA_ERROR', 'the gzip data is damaged'],
]);

/** Errors of the file system and of gzip, put as problems of the input; anything else is passed on. */
export function asInputProblem(error: unknown, file: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (error instanceof InputProblem || typeof code !== 'string') return error;
  const summary = SYSTEM_PROBLEMS.get(code);
  if (summary !== undefined) return new InputProblem(summary, { file, cause: error });
  if (code.startsWith('Z_')) return new InputProblem('the gzip data is damaged', { file, cause: error });
  return code.startsWith('E')
    ? new InputProblem(`this file cannot be read (${code})`, { file, cause: error })
    : error;
}
