import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { firstOnPath } from './toolchain.ts';

/** An entry of debugging information, as far as the layout of data needs it. */
export interface DebugEntry {
  tag: string;
  name: string | null;
  /** As the linker knows it. */
  linkageName: string | null;
  /** Offset of the entry of its type. */
  type: string | null;
  size: number | null;
  /** Of a member: the byte at which it begins. Null: not known before the program runs. */
  offset: number | null;
  isBitField: boolean;
  isDeclaration: boolean;
  line: number | null;
  /** Of an array's dimension. */
  count: number | null;
  children: DebugEntry[];
}

const KEPT: ReadonlySet<string> = new Set([
  ...['structure_type', 'class_type', 'union_type', 'member', 'inheritance', 'array_type', 'subrange_type'],
  ...[
    'typedef',
    'const_type',
    'volatile_type',
    'atomic_type',
    'base_type',
    'pointer_type',
    'reference_type',
    'rvalue_reference_type',
    'enumeration_type',
  ],
  ...['variable', 'subprogram', 'lexical_block', 'namespace', 'compile_unit', 'formal_parameter'],
]);

/** Nothing is read from files that would take long. */
const LARGEST_FILE = 256 << 20;

/** What `readelf` of binutils says of a file, by the offsets of entries; empty where there is none of it. */
export function debugInfo(path: string): Map<string, DebugEntry> {
  const tool = firstOnPath('readelf');
  if (tool === null || (statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > LARGEST_FILE)
    return new Map();
  const { stdout } = spawnSync(tool, ['--debug-dump=info', path], { encoding: 'latin1', maxBuffer: 1 << 29 });
  return entriesIn(stdout ?? '');
}

/** ` <2><5c>: Abbrev Number: 3 (DW_TAG_member)`: how deep it is, and where. */
const ENTRY = /^ <([0-9a-f]+)><([0-9a-f]+)>: Abbrev Number: \d+(?: \(DW_TAG_(\w+)\))?/;
/** `    <5d>   DW_AT_name        : (indirect string, offset: 0x7): balance` */
const ATTRIBUTE = /^ {4}<[0-9a-f]+> +DW_AT_(\w+) *: ?(.*)$/;

function entriesIn(text: string): Map<string, DebugEntry> {
  const entries = new Map<string, DebugEntry>();
  const open: DebugEntry[] = [];
  let entry: DebugEntry | null = null;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    const [, depth, at, tag] = ENTRY.exec(line) ?? [];
    if (depth !== undefined) {
      entry = tag !== undefined && KEPT.has(tag) ? newEntry(tag) : null;
      const level = Number.parseInt(depth, 16);
      open.length = Math.min(open.length, level);
      if (entry === null) continue;
      entries.set(at, entry);
      open.at(-1)?.children.push(entry);
      // What lies inside of an entry that is left out belongs to the one around it.
      while (open.length < level) open.push(open.at(-1) ?? entry);
      open.push(entry);
    } else if (entry !== null) {
      const [, name, value] = ATTRIBUTE.exec(line) ?? [];
      if (value !== undefined) addAttribute(entry, name, value.trim());
    }
  }
  return entries;
}

function newEntry(tag: string): DebugEntry {
  return {
    tag,
    ...{ name: null, linkageName: null, type: null, size: null, offset: null, line: null, count: null },
    ...{ isBitField: false, isDeclaration: false, children: [] },
  };
}

function addAttribute(entry: DebugEntry, name: string, value: string): void {
  const number = /^(?:0x[0-9a-f]+|\d+)(?=\s|$)/.test(value) ? Number(/^\S+/.exec(value)![0]) : null;
  if (name === 'name') entry.name = textOf(value);
  else if (name === 'linkage_name') entry.linkageName = textOf(value);
  else if (name === 'type') entry.type = /<0x([0-9a-f]+)>/.exec(value)?.[1] ?? null;
  else if (name === 'byte_size') entry.size = number;
  else if (name === 'data_member_location') entry.offset = number;
  else if (name === 'bit_size' || name === 'data_bit_offset') entry.isBitField = true;
  else if (name === 'declaration') entry.isDeclaration = true;
  else if (name === 'decl_line') entry.line = number;
  else if (name === 'upper_bound') entry.count = number === null ? null : number + 1;
  else if (name === 'count') entry.count = number;
  // A definition of what was declared elsewhere has its name and its type there.
  else if (name === 'specification') entry.type ??= /<0x([0-9a-f]+)>/.exec(value)?.[1] ?? null;
}

/** Without the remark where the text was found. */
function textOf(value: string): string {
  return Buffer.from(value.replace(/^\((?:indirect|indexed|alt)[^)]*\): /, ''), 'latin1').toString('utf8');
}
