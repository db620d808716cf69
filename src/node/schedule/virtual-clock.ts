import type { Activation } from '../core/activation.ts';
import type { Alone } from '../runtime/turns/alone.ts';
import { Entry } from './entry.ts';
import { EntryHeap } from './entry-heap.ts';
import { nativeImmediate, nativeTimeout } from './native.ts';
import type { Point } from './point.ts';
import type { Hold } from './policy.ts';

/** How long everything else waits for a file, in milliseconds: it may be a pipe that nobody writes to. */
const PATIENCE = 1000;

/**
 * A hold lasts no longer than it takes so many entries to run: where others poll by `setImmediate` for what the held one has, a
 * millisecond of this clock is a hundred turns in which nothing else can happen.
 */
const MOST_MEANWHILE = 2000;

/** How often it is looked whether what is waited for has been cleared, or has been held for long enough. */
const GLANCE = 2;

/**
 * What a program waits for that comes by way of the queue, and streams for its output. All else comes when
 * it comes.
 */
const OURS: ReadonlySet<string> = new Set([
  ...['Timeout', 'Immediate', 'FSReqCallback', 'FSReqPromise', 'CloseReq', 'FileHandleCloseReq'],
  ...['PipeWrap', 'TTYWrap', 'SignalWrap'],
]);

/**
 * Lets timers, immediates, files and holds happen one after the other in the order of a clock that only they move on:
 * so that a program that waits for nothing else runs in the same order again, however long its steps take. It is still
 * waited for each of them; a timer that is up early by the clock on the wall waits for those before it.
 */
export class VirtualClock {
  /** When the entry that ran last was due. */
  now = 0;
  /** Counts the turns of the event loop, as far as somebody may notice the difference. */
  turn = 0;
  /** Called before it is decided what runs next. */
  onTurn: () => void = () => {};
  /** Called before an entry runs. */
  onRun: () => void = () => {};
  /** Asked when somebody could go on. */
  onDue: (point: Point) => Hold | null = () => null;
  /** Whether nothing is to happen as long as something is on its way. */
  isHeldUp: () => boolean = () => false;
  /** Who asks for what is added. */
  asking: () => Activation | null = () => null;
  /** A call that is to run by itself, in a proof. */
  alone: Alone | null = null;
  /** Called when a turn of the event loop begins. */
  onNewTurn: () => void = () => {};
  /** Whether the program has done something in a turn that no entry began: a request came in, say. */
  hasForeignTurns = false;
  readonly #heap = new EntryHeap();
  #made = 0;
  /** How many entries have run. */
  #ran = 0;
  /** Those that are held back, the oldest hold first. */
  readonly #holds = new Set<Entry>();
  /**
   * Those that have come and wait for their turn, and holds. Nothing else keeps the process alive for them.
   */
  #waiting = 0;
  /** Whether what is running was started by an entry. */
  #isOurs = true;
  #startedAt = -1;
  #isPumping = false;
  #isTurning = false;
  #isGlancing = false;
  /** Since when the first entry is waited for. */
  #first: Entry | null = null;
  #firstSince = 0;

  /** When something happens next by this clock, unless something comes from elsewhere; infinite if nothing does. */
  get next(): number {
    return this.#heap.first()?.due ?? Number.POSITIVE_INFINITY;
  }

  /** The time for what is asked for now. For a callback that came by itself that is the time on the wall. */
  time(): number {
    this.noteTurn();
    if (this.#startedAt < 0) this.#startedAt = performance.now();
    else if (!this.#isOurs) this.now = Math.max(this.now, performance.now() - this.#startedAt);
    return this.now;
  }

  /** Something that comes after this many milliseconds, if `come` is called by then. */
  add(after: number, run: () => void): Entry {
    const entry = new Entry(this.time() + after, ++this.#made, run);
    if (this.alone !== null) entry.by = this.asking();
    this.#heap.push(entry);
    return entry;
  }

  /** The entry happens once more, after that many milliseconds. */
  again(entry: Entry, after: number): void {
    this.cancel(entry);
    entry.hasCome = false;
    entry.heldUntil = -1;
    entry.due = this.time() + after;
    this.#heap.push(entry);
  }

  /** Like `add`; comes by itself, at the latest when nothing else can happen. */
  hold(hold: Hold, run: () => void): void {
    const entry = new Entry(this.time(), ++this.#made, run);
    this.#waiting++;
    this.#holdBack(entry, hold);
  }

  #holdBack(entry: Entry, hold: Hold): void {
    entry.hold = hold;
    entry.heldFrom = this.#ran;
    this.#holds.delete(entry);
    this.#holds.add(entry);
    entry.heldSince = this.now;
    entry.heldUntil = performance.now() + hold.after;
    entry.due = this.now + hold.after;
    this.#heap.push(entry);
    this.#pumpSoon();
    hold.begun?.(() => this.#endHold(entry));
  }

  /** The hold ends as soon as what is running is over. */
  #endHold(entry: Entry): void {
    if (entry.place < 0 || entry.hold === null) return;
    this.#heap.remove(entry);
    entry.due = this.now;
    entry.heldUntil = 0;
    this.#heap.push(entry);
    this.#pumpSoon();
  }

  /** No hold lasts longer than until then. */
  shortenHolds(until: number): void {
    for (const entry of [...this.#heap]) {
      if (entry.hold === null || entry.due <= until) continue;
      this.#heap.remove(entry);
      entry.heldUntil -= entry.due - until;
      entry.due = until;
      this.#heap.push(entry);
    }
  }

  /** What the entry stands for has happened, in a turn of its own: if it is its turn, it runs at once. */
  come(entry: Entry): void {
    if (this.#noteCome(entry)) this.#pump();
  }

  /** The same in the middle of a turn. */
  comeLater(entry: Entry): void {
    if (this.#noteCome(entry)) this.#pumpSoon();
  }

  #noteCome(entry: Entry): boolean {
    if (entry.hasCome) return false;
    entry.hasCome = true;
    // Nobody had the patience to wait for it.
    if (entry.place < 0) {
      entry.due = this.now;
      this.#heap.push(entry);
    }
    this.#waiting++;
    return true;
  }

  /** It is not going to happen. */
  cancel(entry: Entry): void {
    if (entry.place < 0) return;
    this.#heap.remove(entry);
    if (entry.hasCome || entry.isHold) this.#waiting--;
    this.#holdOver(entry);
    this.#pumpSoon();
  }

  /** Those that are waiting, in no order. */
  get entries(): Iterable<Entry> {
    return this.#heap;
  }

  /** Nothing holds it up any more. */
  goOn(): void {
    this.#pumpSoon();
  }

  #pumpSoon(): void {
    if (this.#isPumping || this.#waiting === 0) return;
    this.#isPumping = true;
    nativeImmediate(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  /** Runs the first entry if it has come. */
  #pump(): void {
    this.onTurn();
    this.#endLongHolds();
    const entry = this.#firstToCome();
    if (entry === null) return;
    if (this.isHeldUp()) {
      this.#glanceLater();
      return;
    }
    if (!this.#isReady(entry)) {
      this.#glanceLater();
      return;
    }
    this.#heap.remove(entry);
    this.now = Math.max(this.now, entry.due);
    this.#isOurs = true;
    const { point } = entry;
    entry.point = null;
    const hold = point === null ? null : this.onDue(point);
    if (hold !== null) {
      this.#holdBack(entry, hold);
      return;
    }
    this.#waiting--;
    this.#holdOver(entry);
    this.onRun();
    this.#ran++;
    this.turn++;
    this.onNewTurn();
    this.noteTurn();
    try {
      entry.run();
    } finally {
      this.#pumpSoon();
    }
  }

  #endLongHolds(): void {
    for (const entry of this.#holds) {
      if (this.#ran - entry.heldFrom < MOST_MEANWHILE) return;
      this.#holds.delete(entry);
      this.#endHold(entry);
    }
  }

  #holdOver(entry: Entry): void {
    const { hold } = entry;
    this.#holds.delete(entry);
    entry.hold = null;
    entry.heldUntil = -1;
    hold?.over?.(this.now - entry.heldSince);
  }

  #firstToCome(): Entry | null {
    for (;;) {
      const entry = this.#preferred() ?? this.#heap.first();
      if (entry === undefined) return null;
      if (entry.isCleared) {
        this.#heap.remove(entry);
        continue;
      }
      if (entry !== this.#first) {
        this.#first = entry;
        this.#firstSince = performance.now();
      } else if (entry.isFile && !entry.hasCome && performance.now() - this.#firstSince > PATIENCE) {
        this.#heap.remove(entry);
        continue;
      }
      return entry;
    }
  }

  /** The first of those that belong to the call that runs by itself, or that do not; null if it does not matter. */
  #preferred(): Entry | null {
    const { alone } = this;
    if (!alone?.isRunning) return null;
    let first: Entry | null = null;
    for (const entry of this.#heap)
      if (alone.isPreferred(entry.by) && !entry.isCleared && (first === null || isBefore(entry, first)))
        first = entry;
    return first;
  }

  #isReady(entry: Entry): boolean {
    if (!entry.isHold) return entry.hasCome;
    return performance.now() >= entry.heldUntil || !isAnythingElseAwaited();
  }

  /** Something waits for what has not come. Whether that ever does is nothing to rely on. */
  #glanceLater(): void {
    if (this.#waiting === 0 || this.#isGlancing) return;
    this.#isGlancing = true;
    nativeTimeout(() => {
      this.#isGlancing = false;
      this.#pump();
    }, GLANCE);
  }

  /** Something may want to know whether it is still the same turn. */
  noteTurn(): void {
    if (!this.#isOurs) this.hasForeignTurns = true;
    if (this.#isTurning) return;
    this.#isTurning = true;
    nativeImmediate(() => {
      this.#isTurning = false;
      this.#isOurs = false;
      this.turn++;
      this.onNewTurn();
    }).unref();
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.due === other.due ? one.number < other.number : one.due < other.due;
}

/** Whether anything may come that is not in the queue. */
function isAnythingElseAwaited(): boolean {
  return process.getActiveResourcesInfo().some((kind) => !OURS.has(kind));
}
