import fs from 'node:fs';

/** What an operation does to the file that one of its arguments names. */
export interface PathUse {
  argument: number;
  /** `write-with-flag` looks at the options, which come two arguments later, and `truncate` at the length. */
  access: FileAccess | 'write-with-flag' | 'truncate';
}

/** As in a trace; `?` looks only whether there is something, `w+` writes a part at a time, and `0` leaves nothing there. */
export type FileAccess = 'r' | '?' | 'w' | 'w+' | '0' | 'u';

const reads: readonly PathUse[] = [{ argument: 0, access: 'r' }];
const looks: readonly PathUse[] = [{ argument: 0, access: '?' }];
const removes: readonly PathUse[] = [{ argument: 0, access: '0' }];
const writes: readonly PathUse[] = [{ argument: 0, access: 'w' }];

/** Of a folder, it takes all that is in there. */
export const COPYING: readonly PathUse[] = [
  { argument: 0, access: 'r' },
  { argument: 1, access: 'w+' },
];

/** The functions of `fs` that take paths; with `Sync`, with a callback and in `fs.promises`. */
export const OPERATIONS: ReadonlyMap<string, readonly PathUse[]> = new Map([
  ['readFile', reads] as const,
  ...[
    'stat',
    'lstat',
    'statfs',
    'access',
    'exists',
    'readdir',
    'readlink',
    'opendir',
    // Whoever makes a folder takes nothing away: there was none, or it stays as it is.
    'mkdir',
  ].map((name) => [name, looks] as const),
  ...['rmdir', 'chmod', 'chown', 'utimes'].map((name) => [name, writes] as const),
  ...['unlink', 'rm'].map((name) => [name, removes] as const),
  ['truncate', [{ argument: 0, access: 'truncate' }]] as const,
  ['writeFile', [{ argument: 0, access: 'write-with-flag' }]] as const,
  ['appendFile', [{ argument: 0, access: 'u' }]] as const,
  [
    'rename',
    [
      { argument: 0, access: 'w' },
      { argument: 1, access: 'w' },
    ],
  ] as const,
  ...(['copyFile', 'cp'] as const).map((name) => [name, COPYING] as const),
  [
    'link',
    [
      { argument: 0, access: 'r' },
      { argument: 1, access: 'w' },
    ],
  ] as const,
  ['symlink', [{ argument: 1, access: 'w' }]] as const,
] as [string, readonly PathUse[]][]);

function flagsOf(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options;
  const { flag, flags } = options as { flag?: unknown; flags?: unknown };
  return flag ?? flags;
}

/** Whether options, or flags, say that what is written goes to the end of the file. */
export function isAppending(options: unknown): boolean {
  const flags = flagsOf(options);
  if (typeof flags === 'number') return (flags & fs.constants.O_APPEND) !== 0;
  return typeof flags === 'string' && /^a/.test(flags);
}

/** Whether options, or flags, say that the file must not be there: whoever finds one has changed nothing. */
export function isExclusive(options: unknown): boolean {
  const flags = flagsOf(options);
  if (typeof flags === 'number') return (flags & fs.constants.O_EXCL) !== 0;
  return typeof flags === 'string' && flags.includes('x');
}

/** Whether opening the file empties it. */
export function isTruncating(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & fs.constants.O_TRUNC) !== 0;
  return typeof flags === 'string' && flags.startsWith('w');
}

/** What `truncate` with this length is. */
export function truncating(length: unknown): FileAccess {
  return length === undefined || length === 0 || typeof length === 'function' ? '0' : 'w';
}

/** So many bytes say nothing but that there is nothing: '', '[]', '{}'. */
const EMPTY = /^(?:\[\s*\]|\{\s*\}|)\s*$/;

/** Whether what is to be written is nothing, or an empty list. */
export function isNothing(data: unknown): boolean {
  if (typeof data === 'string') return data.length < 8 && EMPTY.test(data);
  return ArrayBuffer.isView(data) && data.byteLength === 0;
}
