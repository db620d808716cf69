import type { ScheduleKind } from '../trace/schedule-options.ts';

/** What a `trackside.config.ts` may say. Each is the option of `trackside run` of the same name, and yields to it. */
export interface TracksideConfig {
  /** Files to instrument besides the program's own; `!glob` leaves files out. */
  instrument?: readonly string[];
  /** Labels of the blocks that are meant to be atomic; all, if none are named. */
  atomic?: readonly string[];
  /** Labels of blocks that are not. */
  exclude?: readonly string[];
  /** Analyses, separated by commas. */
  analysis?: string;
  failOn?: 'error' | 'warning';
  /** How accesses of threads to shared memory are ordered. */
  order?: 'exact' | 'fast';
  /** The order in which tasks of the program go on (docs/how-to/scheduling.md). */
  schedule?: ScheduleKind;
  /** The one that makes the order the same again; for `explore`, the first. */
  seed?: number;
  /** `name` or `name=path`. */
  reporter?: readonly string[];
  /** Results saved as JSON; what is in there is not reported again. */
  baseline?: string;
  /** For test runners: whether what is found in a test is proved, by runs of that test alone. */
  prove?: boolean;
}

/** For the sake of types: `export default defineConfig({ … })`. */
export function defineConfig(config: TracksideConfig): TracksideConfig {
  return config;
}
