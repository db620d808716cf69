import { ANSWERED, ASKED, type Region } from './region.ts';
import { SequenceClock } from './sequence-clock.ts';

/** The program's own are replaced. */
const { load, notify, store } = Atomics;

/** So many numbers are held back in one segment, if there is a choice. */
const MANY_PENDING = 4096;

/** Where an isolate is in the region, and how it takes its numbers. */
export interface IsolatePlace {
  readonly region: Region;
  /** Its place in the directory of the region. */
  readonly index: number;
  /** Whether an access to shared memory and its number are taken together, under a lock. */
  readonly isExact: boolean;
}

/** Whoever records an isolate. */
export interface IsolateRecorder {
  /** Whether of every call it is known that it is a task of its own, or that it is not. */
  readonly isDecided: boolean;
  /** Decides that of all calls, so that what they did can be handed over. */
  decideAll(): void;
}

/** What the runtime of an isolate knows of itself among others. There is none until the program has a worker. */
export class Isolate {
  readonly region: Region;
  readonly index: number;
  readonly isExact: boolean;
  readonly clock: SequenceClock;
  readonly #words: Int32Array;
  readonly #recorder: IsolateRecorder;
  readonly #handOver: () => void;
  /** How many numbers there have to be before it is worth looking whether they can be handed over. */
  #many = MANY_PENDING;

  /** `handOver` writes all that has been logged to the ring of this isolate. */
  constructor({ region, index, isExact }: IsolatePlace, recorder: IsolateRecorder, handOver: () => void) {
    this.region = region;
    this.index = index;
    this.isExact = isExact;
    this.clock = new SequenceClock(region, index);
    this.#words = region.isolate(index);
    this.#recorder = recorder;
    this.#handOver = handOver;
  }

  /** Hands over all that has been logged; to be called before this isolate blocks, or may be ended. */
  flush(): void {
    this.#recorder.decideAll();
    this.#handOver();
  }

  /** Before something that others may answer by ending this isolate: hands over what there is, if that can be. */
  publish(): void {
    if (this.index !== 0 && this.#recorder.isDecided) this.flush();
  }

  /** To be called after every access with a number, of which there may be any amount within one segment. */
  relieve(): void {
    const { clock } = this;
    if (clock.pending < this.#many && !this.isAsked) return;
    if (this.#recorder.isDecided || this.isAsked) this.flush();
    else this.#many = clock.pending + MANY_PENDING;
  }

  /** Whether somebody who is about to end this isolate has asked for what it holds back. */
  get isAsked(): boolean {
    return this.#words[ASKED] !== this.#words[ANSWERED];
  }

  /** Everything that has been logged is in the ring once `write` returns. */
  settle(write: () => void): void {
    const asked = load(this.#words, ASKED);
    write();
    this.clock.settle();
    this.#many = MANY_PENDING;
    if (load(this.#words, ANSWERED) === asked) return;
    store(this.#words, ANSWERED, asked);
    notify(this.#words, ANSWERED);
  }
}
