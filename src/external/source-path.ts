import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { InputProblem } from '../trace/problem.ts';

const inflate = promisify(inflateRaw);

const SOURCE = /\.(?:java|kt|scala|groovy)$/;
const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;
/** Comments at the end of an archive may be so long. */
const LONGEST_END = 22 + 0xffff;
const LARGEST_SOURCE = 4 << 20;

/** Folders with the sources of a path: folders as they are, and what is in source jars unpacked below `scratch`. */
export async function sourceFolders(paths: readonly string[], scratch: string): Promise<string[]> {
  const folders: string[] = [];
  for (const path of paths.filter((each) => each !== '')) {
    const found = await stat(path).catch(() => null);
    if (found === null) {
      throw new InputProblem('--source-path names something that is not there', {
        file: path,
        expected: 'a folder with sources, or a source jar',
      });
    }
    if (found.isDirectory()) folders.push(path);
    else folders.push(await unpacked(path, join(scratch, `${folders.length}-${basename(path)}`)));
  }
  return folders;
}

async function unpacked(archive: string, folder: string): Promise<string> {
  const bytes = await readFile(archive);
  for (const { name, method, at, packed, size } of entriesOf(bytes, archive)) {
    if (!SOURCE.test(name) || size > LARGEST_SOURCE) continue;
    const target = resolve(folder, name);
    // Names in an archive may try to lead out of it.
    if (!target.startsWith(resolve(folder) + sep)) continue;
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const content = bytes.subarray(start, start + packed);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(
      target,
      method === DEFLATED ? await inflate(content, { maxOutputLength: LARGEST_SOURCE }) : content,
    );
  }
  return folder;
}

interface Entry {
  name: string;
  method: number;
  at: number;
  packed: number;
  size: number;
}

function* entriesOf(bytes: Buffer, archive: string): Generator<Entry> {
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - LONGEST_END && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0 || bytes.readUInt32LE(end) !== END_OF_DIRECTORY) {
    throw new InputProblem('this is not a jar', { file: archive, expected: 'a folder, or a source jar' });
  }
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return;
    const nameLength = bytes.readUInt16LE(at + 28);
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}
