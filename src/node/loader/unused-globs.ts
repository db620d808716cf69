import { writeSync } from 'node:fs';
import { Selection, type SelectionOptions } from './selection.ts';

/** Says which globs have named no file that the program has loaded: a name that is mistyped would pass for silence. */
export function warnOfUnusedGlobs(options: SelectionOptions, files: readonly string[]): void {
  for (const glob of options.instrument) {
    if (glob.startsWith('!')) continue;
    const selection = new Selection({ ...options, instrument: [glob] });
    if (!files.some((file) => selection.isNamed(file)))
      writeSync(
        2,
        `trackside: warning: no file that the program loaded is named by --instrument ${JSON.stringify(glob)}\n`,
      );
  }
}
