import { statSync } from 'node:fs';
import { Option } from 'commander';

const FLAG = '--what-if-atomic';

export function whatIfOption(): Option {
  return new Option(
    `${FLAG} [label]`,
    'run it once more with calls of these blocks one at a time, and say what changes; without a label, for each violation',
  )
    .preset('')
    .argParser((label: string, labels: string[] = []) => [...labels, label]);
}

/** An option with a value that may be missing would take the script for it: `run --what-if-atomic app.ts`. */
export function withoutScriptAsLabel(args: readonly string[]): string[] {
  return args.map((arg, i) => (arg === FLAG && isFile(args[i + 1]) ? `${FLAG}=` : arg));
}

function isFile(path: string | undefined): boolean {
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
