import type { EventBatch } from '../../trace/batch.ts';
import type { TaskKind, TraceFacts } from '../../trace/facts.ts';
import { NO_LOCATION } from '../../trace/location.ts';
import { accessKind, isAccess, Op } from '../../trace/operation.ts';
import { Holders } from './holders.ts';
import { commonNesting, type Nesting, nestedIn, nestingAt, outermostNesting } from './nesting.ts';
import { ServedBlocks, type Threads } from './served.ts';
import { type Skew, type SkewAccess, SkewSearch } from './skew.ts';

/** So many are looked at; a program that does it all the time does it for the same reason. */
const MOST_FOUND = 200;

/** So many of the last reads of a variable are remembered. */
const MOST_READS = 16;

/** So many of the blocks that have led to an act are looked at; what leads to more is a loop that goes on by callbacks. */
const MOST_AROUND = 64;

/** A block, as long as it or something that it has started may act. */
export interface OpenBlock {
  begin: number;
  label: number;
  location: number;
  thread: number;
  /** Null while it goes on. */
  end: number | null;
  /** Whether it is a task that the event loop has started, from its first access on, and all that it has led to. */
  isHandler: boolean;
  /** Whether it was found before. */
  isFound: boolean;
}

interface SearchOptions {
  isHandlerTask?: (thread: number) => boolean;
  from?: number;
}

const HANDLERS: ReadonlySet<TaskKind> = new Set(['callback', 'timeout', 'interval', 'immediate']);

/** Whether the event loop has called a task of this kind. */
export function isHandlerKind(kind: TaskKind): boolean {
  return HANDLERS.has(kind);
}

/** What is around an event: the blocks of its task, and those that have led to the task. */
type Around = Nesting<OpenBlock>;

const NOTHING: Around = outermostNesting();

interface Read {
  event: number;
  around: Around;
  /** Whether another task has read it for the block. */
  isServed: boolean;
}

interface Change {
  event: number;
  around: Around;
  thread: number;
}

/** Reads events in order, and finds blocks to look at. */
export class OverlookedSearch {
  /** Blocks with the event of the act. */
  readonly found = new Map<OpenBlock, number>();
  readonly skewed = new Map<OpenBlock, { skew: Skew<OpenBlock>; act: SkewAccess }>();
  readonly #skews = new SkewSearch<OpenBlock>();
  /** Per thread. */
  readonly #around: Around[] = [];
  /** Threads that are known to be no handlers. */
  readonly #plain = new Set<number>();
  /** Per variable: the last reads by blocks, the last changes by different tasks, and those of what is in it. */
  readonly #reads: (Read[] | undefined)[] = [];
  readonly #changes: (Change[] | undefined)[] = [];
  readonly #inside: (Change[] | undefined)[] = [];
  readonly #holders = new Holders();
  /** The begins of blocks that are known. */
  readonly #known: ReadonlySet<number | undefined>;

  readonly #served: ServedBlocks<Around>;

  readonly #isHandlerTask: (thread: number) => boolean;
  readonly #from: number;

  /** `isHandlerTask` tells what the event loop has called, if that is known; acts up to the event `from` are not told again. */
  constructor(
    known: ReadonlySet<number | undefined>,
    names: Threads,
    served: TraceFacts['served'],
    { isHandlerTask = () => true, from = 0 }: SearchOptions = {},
  ) {
    this.#known = known;
    this.#served = new ServedBlocks(names, served);
    this.#isHandlerTask = isHandlerTask;
    this.#from = from;
  }

  /** Whether anything was found since the last time that somebody asked. */
  takeNews(): boolean {
    const hasNews = this.found.size + this.skewed.size > 0;
    this.found.clear();
    this.skewed.clear();
    return hasNews;
  }

  /** The number is going to be that of another thread. */
  forgetThread(thread: number): void {
    this.#around[thread] = NOTHING;
    this.#plain.delete(thread);
  }

  /** The number is going to be that of another variable. */
  forgetVariable(variable: number): void {
    for (const list of [this.#reads, this.#changes, this.#inside]) list[variable] = undefined;
    this.#skews.forget(variable);
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      const thread = batch.thread[i];
      const operand = batch.operand[i];
      const event = batch.firstEvent + i;
      if (isAccess(op)) {
        const isRead = accessKind(op) === Op.read;
        const around = this.#access(event, thread, isRead, operand, batch.location[i]);
        const access = { event, thread, op, variable: operand, location: batch.location[i] };
        if (isRead) this.#skews.read(access, around);
        else this.#skew(access, around);
      } else if (op === Op.fork) {
        this.#around[operand] = this.#around[thread] ?? NOTHING;
        this.#plain.delete(operand);
        this.#served.fork(operand);
      } else if (op === Op.begin) {
        const location = batch.location[i];
        const block = {
          begin: event,
          label: operand,
          location,
          thread,
          end: null,
          isHandler: false,
          isFound: false,
        };
        this.#around[thread] = nestedIn(this.#around[thread] ?? NOTHING, block);
        this.#served.begin(thread, this.#around[thread]);
      } else if (op === Op.end) this.#end(event, thread);
    }
  }

  #end(event: number, thread: number): void {
    this.#served.end(thread);
    const around = this.#around[thread] ?? NOTHING;
    const { block, parent } = around;
    if (block?.thread !== thread || block.end !== null || block.isHandler) return;
    block.end = event;
    this.#around[thread] = parent;
  }

  #access(event: number, thread: number, isRead: boolean, variable: number, location: number): Around {
    const around = this.#aroundAccess(event, thread, location);
    if (isRead) {
      this.#readBack(event, variable, around);
      if (location !== NO_LOCATION) this.#holders.read(thread, variable, location);
      push(this.#reads, variable, { event, around, isServed: false });
      for (const { block } of this.#served.servedBy(thread))
        push(this.#reads, variable, { event, around: block, isServed: true });
      return around;
    }
    const holder = this.#holders.of(thread, variable, location);
    if (holder !== null) note(this.#inside, holder, { event, around, thread });
    if (this.found.size < MOST_FOUND) this.#act(event, thread, variable, around);
    note(this.#changes, variable, { event, around, thread });
    return around;
  }

  #skew(act: SkewAccess, around: Around): void {
    if (this.skewed.size >= MOST_FOUND) return;
    for (const skew of this.#skews.change(act, around))
      for (const { block } of from(skew.inner, skew.outer)) {
        if (block === undefined || block.isHandler || block.end !== null || this.skewed.has(block)) continue;
        if (this.#known.has(block.begin)) continue;
        if (act.event > this.#from) this.skewed.set(block, { skew, act });
      }
  }

  /** What is around an access; a task that has not begun a block of its own is one by itself from there on. */
  #aroundAccess(event: number, thread: number, location: number): Around {
    const around = this.#around[thread] ?? NOTHING;
    if (around.block?.thread === thread || this.#plain.has(thread)) return around;
    if (!this.#isHandlerTask(thread)) {
      this.#plain.add(thread);
      return around;
    }
    const handler = { begin: event, label: -1, location, thread, end: null, isHandler: true, isFound: false };
    this.#around[thread] = nestedIn(around, handler);
    return this.#around[thread];
  }

  /** Handlers that have changed the variable and read it again, after somebody else has changed it. */
  #readBack(event: number, variable: number, around: Around): void {
    const changes = this.#changes[variable];
    if (changes === undefined || this.found.size >= MOST_FOUND) return;
    const depths = changes.map((change) => commonNesting(around, change.around).depth);
    for (const { block } of from(nestingAt(around, Math.max(...depths)), depths.at(-1)!))
      if (block?.isHandler && !block.isFound) this.#find(block, event);
  }

  /** Blocks that have read the variable, or that it was read for, and write it after somebody else has changed it. */
  #act(event: number, thread: number, variable: number, around: Around): void {
    for (const read of this.#reads[variable] ?? []) {
      const common = commonNesting(around, read.around);
      if (read.isServed && common !== read.around) continue;
      const changed = depthOfChanges(common, read.event, this.#changes[variable]);
      const inside = read.isServed ? changed : depthOfChanges(common, read.event, this.#inside[variable]);
      // What was read for a block is no read of those around it.
      const outer = read.isServed ? common.depth - 1 : 0;
      for (const { block, depth } of from(common, Math.max(outer, Math.min(changed, inside)))) {
        if (block === undefined || block.isFound || this.#known.has(block.begin)) continue;
        const isLeftBehind = block.end !== null || block.isHandler;
        const isStale = isLeftBehind ? depth > changed : depth > inside && block.thread === thread;
        if (isStale) this.#find(block, event);
      }
    }
  }

  #find(block: OpenBlock, event: number): void {
    block.isFound = true;
    if (event > this.#from) this.found.set(block, event);
  }
}

/** The depth of the innermost block that has made all changes after an event itself, or by what it has led to. */
function depthOfChanges(around: Around, since: number, changes: readonly Change[] = []): number {
  let { depth } = around;
  for (const change of changes)
    if (change.event > since) depth = Math.min(depth, commonNesting(around, change.around).depth);
  return depth;
}

/** From the inside out, those that are deeper than this. */
function* from(inner: Around, depth: number): Generator<Around> {
  let at = inner;
  for (let i = 0; i < MOST_AROUND && at.depth > depth; i++, at = at.parent) yield at;
}

/** Of changes of one task in a row, the last one is enough. */
function note(lists: (Change[] | undefined)[], variable: number, change: Change): void {
  const changes = lists[variable];
  if (changes?.at(-1)?.thread === change.thread) changes[changes.length - 1] = change;
  else push(lists, variable, change);
}

function push<T>(lists: (T[] | undefined)[], index: number, element: T): void {
  lists[index] ??= [];
  const list = lists[index];
  if (list.length === MOST_READS) list.shift();
  list.push(element);
}
