import { unknownName } from '../trace/unknown-name.ts';

/** The names of all reporters, in the order of `registry.ts`, which takes a moment to load. */
export const REPORTER_NAMES: readonly string[] = [
  'text',
  'json',
  'html',
  'sarif',
  'junit',
  'markdown',
  'dot',
  'svg',
  'github',
];

/** Refuses a name that no reporter has. */
export function refuseOtherThanReporters(name: string): void {
  if (!REPORTER_NAMES.includes(name)) throw unknownName('reporter', name, REPORTER_NAMES);
}
