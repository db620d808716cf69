import type { EventBatch } from '../../trace/batch.ts';
import type { TaskKind, TraceFacts } from '../../trace/facts.ts';
import { NO_LOCATION } from '../../trace/location.ts';

import { accessKind, isAccess, Op } from '../../trace/operation.ts';
import { Holders } from './holders.ts';
import { ServedBlocks, type Threads } from './served.ts';

/** So many are looked at; a program that does it all the time does it for the same reason. */
const MOST_FOUND = 200;

/** So many of the last reads of a variable are remembered. */
const MOST_READS = 16;

/** So many blocks that have led to a task are remembered, the innermost ones: a timer may set the next one for ever. */
const MOST_AROUND = 16;

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

const HANDLERS: ReadonlySet<TaskKind> = new Set(['callback', 'timeout', 'interval', 'immediate']);

/** Whether the event loop has called a task of this kind. */
export function isHandlerKind(kind: TaskKind): boolean {
  return HANDLERS.has(kind);
}

/** What is around an event: the blocks of its task, and those that have led to the task. Never changed once made. */
type Around = readonly OpenBlock[];

const NOTHING: Around = [];

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
  /** Blocks with the event of the act; whoever has looked at them may remove them. */
  readonly found = new Map<OpenBlock, number>();
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

  readonly #served: ServedBlocks<OpenBlock>;
  readonly #isHandlerTask: (thread: number) => boolean;
  readonly #from: number;

  /** `isHandlerTask` tells what the event loop has called; what was found up to the event `from` is not told again. */
  constructor(
    known: ReadonlySet<number | undefined>,
    names: Threads,
    served: TraceFacts['served'],
    isHandlerTask: (thread: number) => boolean,
    from = 0,
  ) {
    this.#known = known;
    this.#served = new ServedBlocks(names, served);
    this.#isHandlerTask = isHandlerTask;
    this.#from = from;
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      const thread = batch.thread[i];
      const operand = batch.operand[i];
      const event = batch.firstEvent + i;
      if (isAccess(op)) this.#access(event, thread, accessKind(op) === Op.read, operand, batch.location[i]);
      else if (op === Op.fork) {
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
        this.#around[thread] = within(this.#around[thread], block);
        this.#served.begin(thread, block);
      } else if (op === Op.end) this.#end(event, thread);
    }
  }

  #end(event: number, thread: number): void {
    this.#served.end(thread);
    const around = this.#around[thread] ?? NOTHING;
    const last = around.findLast(
      (block) => block.thread === thread && block.end === null && !block.isHandler,
    );
    if (last === undefined) return;
    last.end = event;
    this.#around[thread] = around.filter((block) => block !== last);
  }

  #access(event: number, thread: number, isRead: boolean, variable: number, location: number): void {
    const around = this.#aroundAccess(event, thread, location);
    if (isRead) {
      this.#readBack(event, variable, around);
      if (location !== NO_LOCATION) this.#holders.read(thread, variable, location);
      if (around.length > 0) push(this.#reads, variable, { event, around, isServed: false });
      for (const { block } of this.#served.servedBy(thread))
        push(this.#reads, variable, { event, around: [block], isServed: true });
      return;
    }
    const holder = this.#holders.of(thread, variable, location);
    if (holder !== null) note(this.#inside, holder, { event, around, thread });
    if (around.length > 0 && this.found.size < MOST_FOUND) this.#act(event, thread, variable, around);
    note(this.#changes, variable, { event, around, thread });
  }

  /** The number is going to be that of another thread. */
  forgetThread(thread: number): void {
    this.#around[thread] = NOTHING;
    this.#plain.delete(thread);
  }

  /** The number is going to be that of another variable. */
  forgetVariable(variable: number): void {
    this.#reads[variable] = undefined;
    this.#changes[variable] = undefined;
    this.#inside[variable] = undefined;
  }

  /** What is around an access; what the event loop has called is a block by itself from there on. */
  #aroundAccess(event: number, thread: number, location: number): Around {
    const around = this.#around[thread] ?? NOTHING;
    if (this.#plain.has(thread) || around.some((block) => block.thread === thread)) return around;
    if (!this.#isHandlerTask(thread)) {
      this.#plain.add(thread);
      return around;
    }
    const handler = { begin: event, label: -1, location, thread, end: null, isHandler: true, isFound: false };
    this.#around[thread] = within(around, handler);
    return this.#around[thread];
  }

  #readBack(event: number, variable: number, around: Around): void {
    const changes = this.#changes[variable];
    if (changes === undefined || this.found.size >= MOST_FOUND) return;
    for (const block of around) {
      if (!block.isHandler || block.isFound) continue;
      const own = changes.findLast((change) => change.around.includes(block));
      if (own !== undefined && own.event < latestWithout(block, changes)) this.#find(block, event);
    }
  }

  #act(event: number, thread: number, variable: number, around: Around): void {
    const reads = this.#reads[variable];
    if (reads === undefined) return;
    for (const block of around) {
      if (block.isFound || this.#known.has(block.begin)) continue;
      const isLeftBehind = block.end !== null || block.isHandler;
      if (!isLeftBehind && block.thread !== thread) continue;
      const changed = latestWithout(block, this.#changes[variable]);
      const own = isLeftBehind ? changed : latestWithout(block, this.#inside[variable]);
      const isStale = (read: Read) =>
        read.event < (read.isServed ? changed : own) && read.around.includes(block);
      if (reads.some(isStale)) this.#find(block, event);
    }
  }

  #find(block: OpenBlock, event: number): void {
    block.isFound = true;
    if (event > this.#from) this.found.set(block, event);
  }
}

function within(around: Around | undefined, block: OpenBlock): Around {
  return around === undefined ? [block] : [...around.slice(1 - MOST_AROUND), block];
}

/** The event of the latest change that is not of the block; 0 if there is none. */
function latestWithout(block: OpenBlock, changes: readonly Change[] | undefined): number {
  return changes?.findLast(({ around }) => !around.includes(block))?.event ?? 0;
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
