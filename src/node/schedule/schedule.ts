import type { ScheduleKind, ScheduleOptions } from '../../trace/schedule-options.ts';
import type { Activation } from '../core/activation.ts';
import { patchOwnPromises } from '../runtime/own-promises.ts';
import type { Recorder } from '../runtime/recorder.ts';
import type { Schedule as RuntimeSchedule } from '../runtime/scheduling.ts';
import type { SharedMemory } from '../runtime/shared-memory/shared-memory.ts';
import type { Patches } from '../support/patching.ts';
import { AccessPauses } from './access-pauses.ts';
import { ScheduledFiles } from './files.ts';
import { mix } from './hashing.ts';
import { PctPolicy } from './pct.ts';
import { Places } from './point.ts';
import { SchedulingPoints } from './points.ts';
import type { Policy } from './policy.ts';
import { ProvokePolicy } from './provoke.ts';
import { ScheduledQueries } from './queries.ts';
import { RandomPolicy } from './random.ts';
import { SteadyPolicy } from './steady.ts';
import { TimeLimits } from './time-limits.ts';
import { ScheduledTimers } from './timers.ts';
import { VirtualClock } from './virtual-clock.ts';

/**
 * As for a program without a schedule, but of virtual milliseconds: a trace does not depend on how fast it
 * was made.
 */
const LONGEST_WAIT_MS = 250;

/** Holds tasks back, so that they go on in the order that a policy chooses. */
export class Schedule implements RuntimeSchedule {
  readonly points: SchedulingPoints;
  readonly stores: ScheduledQueries;
  readonly #kind: ScheduleKind;
  readonly #seed: number;
  readonly #clock = new VirtualClock();
  readonly #places: Places;
  readonly #policy: Policy;
  readonly #limits: TimeLimits;
  readonly #recorder: Recorder;
  /** When the log was handed over. */
  #handedOver = 0;

  constructor(options: ScheduleOptions, thread: number, recorder: Recorder, handOver: () => void) {
    const { kind } = options;
    const seed = thread === 0 ? options.seed : mix(options.seed, thread);
    this.#kind = kind;
    this.#seed = seed;
    this.#recorder = recorder;
    this.#places = new Places(seed);
    if (kind === 'random') this.#policy = new RandomPolicy();
    else if (kind === 'steady') this.#policy = new SteadyPolicy();
    else if (kind === 'pct') this.#policy = new PctPolicy(seed, this.#places);
    else this.#policy = new ProvokePolicy(options.seed, recorder);
    this.#clock.alone = recorder.tasks.alone;
    this.#clock.asking = () => recorder.tasks.current;
    this.#limits = new TimeLimits(this.#clock);
    this.points = new SchedulingPoints(this.#clock, this.#places, this.#policy, this.#limits, recorder);
    this.stores = new ScheduledQueries(this.#clock, this.points, (activation) =>
      this.#policy.fileTime(this.#places.choice(activation)),
    );
    this.#clock.onTurn = () => this.#policy.catchUp();
    this.#clock.onRun = () => {
      if (this.#clock.now - this.#handedOver < LONGEST_WAIT_MS) return;
      this.#handedOver = this.#clock.now;
      handOver();
    };
  }

  /** Whether something has run that the clock did not start: then the clock on the wall is as good. */
  get isForeign(): boolean {
    return this.#clock.hasForeignTurns;
  }

  /** Whether the log is handed over before anything more happens, unless something comes from elsewhere: it may be at once. */
  get isIdle(): boolean {
    return this.#clock.next - this.#handedOver >= LONGEST_WAIT_MS;
  }

  /** The log is about to be handed over. */
  catchUp(): void {
    this.#policy.catchUp();
  }

  beginPart(root: Activation, name: string): void {
    this.#places.begin(root, name);
    this.#policy.begin();
  }

  /** Threads are held back as well. */
  follow(memory: SharedMemory): void {
    const pauses = new AccessPauses(memory, this.#kind, this.#seed);
    memory.beforeAccess = (activation, stripe) => pauses.before(activation, stripe);
  }

  /** To be done before others wrap timers and files: what they wrap is then what happens in turn. */
  patch(patches: Patches): void {
    const choice = () => this.#places.choice(this.#recorder.tasks.current);
    const lateness = (delay: number) => this.#policy.lateness(choice(), delay);
    const fileTime = () => this.#policy.fileTime(choice());
    const isByDriver = () => this.stores.isCalledByDriver();
    new ScheduledTimers(this.#clock, lateness, this.points, this.#limits, isByDriver).patch(patches);
    new ScheduledFiles(this.#clock, this.#recorder, fileTime, () => this.points.beginning()).patch(patches);
    patchOwnPromises(patches);
  }

  /** To be done after that. */
  patchLast(patches: Patches): void {
    this.#limits.patch(patches);
  }
}
