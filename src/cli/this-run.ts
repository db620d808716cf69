import type { RunData } from '../check/result.ts';
import { programCommand } from '../report/suggested-command.ts';

/** The command that is being carried out, for reports. */
export function thisRun(): RunData {
  return {
    command: programCommand(process.argv.slice(2)),
    date: new Date().toISOString(),
    node: process.versions.node,
    folder: process.cwd(),
  };
}
