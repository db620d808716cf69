import type { TraceSection } from '../formats/format.ts';
import { JAVA_SECTION } from '../trace/facts.ts';

/** Of the sections in which the agent says what it knows of the program's code: lists of these, as JSON. */
const VERSION = 1;

/** What compilers call the body of a function that stands in a method. */
const FUNCTION = /^(?:lambda\$|\$anonfun\$)/;

/** No class has so many above it. */
const DEEPEST = 40;

interface TypeCode {
  type: string;
  file: string;
  /** The class above it, and its interfaces. */
  above?: string[];
  /** Names of methods, `put/2`, each with the first and the last one of its lines. */
  methods?: (string | number)[];
  /** If it has blocks: the methods that it calls. */
  calls?: string[];
}

/** What goes by what in a method that is a block. */
interface BlockCode {
  block: string;
  file: string;
  lines?: [first: number, last: number];
  /** Whether somebody has said that it is a block. */
  named?: boolean;
  /** Accesses and calls: `31`, `31 java/util/Map.put/2`. */
  steps?: string[];
  /** By step: those that what it is given was computed from, or that decided whether it is made; and only the latter. */
  goesBy?: Record<string, number[]>;
  decidedBy?: Record<string, number[]>;
}

interface Method {
  type: string;
  name: string;
  first: number;
  last: number;
}

/** Which block it is: methods of one name begin in different lines. */
export interface BlockPlace {
  label: string;
  begin: string | null;
}

/** The code of a Java program, as far as it was told. */
export class JavaCode {
  readonly #methods = new Map<string, Method[]>();
  readonly #calls = new Map<string, string[]>();
  /** By type: those directly above it. */
  readonly #above = new Map<string, readonly string[]>();
  /** By label, and by file. */
  readonly #blocks = new Map<string, BlockCode[]>();
  readonly #blocksIn = new Map<string, BlockCode[]>();

  add({ name, version, bytes }: TraceSection): void {
    if (name !== JAVA_SECTION || version !== VERSION) return;
    for (const entry of entriesOf(bytes)) {
      if ('block' in entry) {
        addTo(this.#blocks, entry.block, entry);
        addTo(this.#blocksIn, entry.file, entry);
      } else this.#addType(entry);
    }
  }

  #addType({ type, file, above = [], methods = [], calls }: TypeCode): void {
    this.#above.set(type, above);
    if (calls !== undefined) this.#calls.set(file, [...(this.#calls.get(file) ?? []), ...calls]);
    const known = this.#methods.get(file) ?? [];
    for (let i = 0; i + 2 < methods.length; i += 3) {
      const [name, first, last] = methods.slice(i, i + 3) as [string, number, number];
      known.push({ type, name, first, last });
    }
    this.#methods.set(file, known);
  }

  #blockAt({ label, begin }: BlockPlace): BlockCode | null {
    const [, line] = lineOf(begin ?? '');
    const all = this.#blocks.get(label) ?? [];
    const found = all.filter(({ lines }) => lines === undefined || (lines[0] <= line && line <= lines[1]));
    return found.length === 1 || (found.length > 1 && found.every((each) => same(each, found[0])))
      ? found[0]
      : null;
  }

  /**
   * Whether a place is not the business of a block that nobody has named: not in its file, nor in a method that something in its file
   * calls.
   */
  isFar(place: BlockPlace, location: string): boolean {
    const block = this.#blockAt(place);
    if (block === null || block.named) return false;
    const [file] = lineOf(location);
    if (file === block.file || outermost(file) === outermost(block.file)) return false;
    const calls = this.#calls.get(block.file);
    const methods = this.#methodsAt(location);
    if (calls === undefined || methods === null) return false;
    return !calls.some((call) => methods.some((method) => this.#mayBe(call, method)));
  }

  /** Whether the place is in the block's own lines. */
  isIn(place: BlockPlace, location: string): boolean {
    const block = this.#blockAt(place);
    const [file, line] = lineOf(location);
    return block === null || isWithin(block, file, line);
  }

  /** Whether the place is in a function that stands in the block's own lines. */
  isInFunction(place: BlockPlace, location: string): boolean {
    const block = this.#blockAt(place);
    const [file, line] = lineOf(location);
    if (block === null || !isWithin(block, file, line)) return false;
    return this.#methodsAt(location)?.some(({ name }) => FUNCTION.test(name)) ?? false;
  }

  /**
   * Whether a change goes by what was read before, as far as the block's own code says: null if it does not say so. `isDecision`: only
   * if what was read decided whether there is a change.
   */
  goesBy(place: BlockPlace, read: string, change: string, isDecision: boolean): boolean | null {
    const block = this.#blockAt(place);
    if (block?.steps === undefined) return null;
    const [from, to] = [this.#stepsAt(block, read), this.#stepsAt(block, change)];
    if (from === null || to === null) return null;
    const isOwn = to.some((step) => block.steps?.[step].includes(' ') && from.includes(step));
    // Both may be in one call.
    if (isOwn && !this.isIn(place, change)) return null;
    const known = (isDecision ? block.decidedBy : block.goesBy) ?? {};
    return to.some((step) => known[step]?.some((each) => from.includes(each)));
  }

  /** Whether a read decides, within one block, if there is a change. */
  decides(read: string, change: string): boolean {
    const [file, from] = lineOf(read);
    const [other, to] = lineOf(change);
    if (file !== other) return false;
    return (this.#blocksIn.get(file) ?? []).some((block) => {
      if (!isWithin(block, file, from) || !isWithin(block, file, to)) return false;
      const [looks, changes] = [this.#stepsAt(block, read), this.#stepsAt(block, change)];
      return changes?.some((step) => block.decidedBy?.[step]?.some((each) => looks?.includes(each))) ?? false;
    });
  }

  /** The block's accesses and calls by which something was done there. */
  #stepsAt(block: BlockCode, location: string): number[] | null {
    const [file, line] = lineOf(location);
    const isOwn = isWithin(block, file, line);
    const methods = isOwn ? [] : (this.#methodsAt(location) ?? []);
    const found = (block.steps ?? []).flatMap((step, i) => {
      const [at, called] = step.split(' ');
      const isCall = called !== undefined && methods.some((method) => this.#mayBe(called, method));
      return (isOwn ? Number(at) === line : isCall) ? [i] : [];
    });
    return found.length === 0 ? null : found;
  }

  /** The methods that a place may be in; null if nothing is known of its file. */
  #methodsAt(location: string): Pick<Method, 'type' | 'name'>[] | null {
    const [file, line] = lineOf(location);
    if (line === 0)
      return [{ type: file.replaceAll('.', '/'), name: location.slice(location.lastIndexOf('.') + 1) }];
    return this.#methods.get(file)?.filter(({ first, last }) => first <= line && line <= last) ?? null;
  }

  /** Whether a call may be one of a method; where lines are not known, nor is the number of its arguments. */
  #mayBe(call: string, { type, name }: Pick<Method, 'type' | 'name'>): boolean {
    const dot = call.lastIndexOf('.');
    const called = call.slice(dot + 1);
    if (called !== name && (name.includes('/') || !called.startsWith(`${name}/`))) return false;
    const on = call.slice(0, dot);
    return this.#isBelow(type, on) || this.#isBelow(on, type);
  }

  #isBelow(type: string, other: string, depth = 0): boolean {
    if (type === other || depth > DEEPEST) return type === other;
    return (this.#above.get(type) ?? []).some((each) => this.#isBelow(each, other, depth + 1));
  }
}

/** A trace may come from anywhere, and hold anything: then nothing is known. */
function entriesOf(bytes: Uint8Array): (TypeCode | BlockCode)[] {
  try {
    const entries = JSON.parse(new TextDecoder().decode(bytes)) as (TypeCode | BlockCode)[];
    return Array.isArray(entries) && entries.every(isEntry) ? entries : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { file, lines, steps, above, methods, calls, goesBy, decidedBy } = entry as Record<string, unknown>;
  const isList = (each: unknown) => each === undefined || Array.isArray(each);
  const areTexts = (each: unknown) =>
    each === undefined || (Array.isArray(each) && each.every((text) => typeof text === 'string'));
  const areLists = (each: unknown) =>
    each === undefined || (typeof each === 'object' && each !== null && Object.values(each).every(isList));
  return (
    typeof file === 'string' &&
    [lines, methods].every(isList) &&
    [steps, above, calls].every(areTexts) &&
    [goesBy, decidedBy].every(areLists)
  );
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function isWithin({ file, lines }: BlockCode, inFile: string, line: number): boolean {
  return file === inFile && (lines === undefined || (lines[0] <= line && line <= lines[1]));
}

function same(one: BlockCode, other: BlockCode): boolean {
  return (
    one.file === other.file && one.lines?.[0] === other.lines?.[0] && one.lines?.[1] === other.lines?.[1]
  );
}

/** `bank/Account.java:31`; without lines, `bank.Account.pay`, which is of the class `bank.Account`. */
function lineOf(location: string): [file: string, line: number] {
  const [, file, line] = /^(.*):(\d+)$/.exec(location) ?? [];
  if (file !== undefined) return [file, Number(line)];
  return [location.replace(/\.[^./:]*$/, ''), 0];
}

function outermost(type: string): string {
  return type.replace(/\$.*$/, '');
}
