import type { Region } from './region.ts';
import type { SequenceClock } from './sequence-clock.ts';

/** What the runtime of an isolate knows of the program's other isolates. There is none until the program has a worker. */
export interface Isolate {
  readonly region: Region;
  /** Its place in the directory of the region. */
  readonly index: number;
  readonly clock: SequenceClock;
  /** Whether an access to shared memory and its number are taken together, under a lock. */
  readonly isExact: boolean;
  /** Hands over all that has been logged; to be called before this isolate blocks, or may be ended. */
  flush(): void;
  /** After every access with a number within one segment: hands over what there is if that is much, or somebody has asked. */
  relieve(): void;
}
